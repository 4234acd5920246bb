// Closures that hold an object with a hyperobject inside. The strand must know the one in the
// closure: else, after a steal, the value that it began with is lost.

#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>

#include <functional>
#include <memory>

#include "../support/check.h"

namespace {

struct Account {
  cilk::opadd_reducer<long> sum;
};
struct Owner : Account {
  NOINLINE long own() {
    auto closure = [*this] { return static_cast<long>(sum); };
    return closure();
  }
};

NOINLINE void nothing() { linger(); }
NOINLINE Account make(long n) { return {n}; }
template <class Function>
NOINLINE long call(Function function) {
  return function();
}

NOINLINE void closures() {
  Account object{7};
  auto copied = [object] { return static_cast<long>(object.sum); };
  CHECK_EQ(copied(), 7);
  auto adds = [object]() mutable { return static_cast<long>(object.sum += 1); };
  CHECK_EQ(adds(), 8);
  CHECK_EQ(adds(), 9);
  auto made = [object = make(5)] { return static_cast<long>(object.sum); };
  CHECK_EQ(made(), 5);
  auto again = adds;
  CHECK_EQ(again(), 10);
  CHECK_EQ(adds(), 10);
  CHECK_EQ(call(copied), 7);
  const std::function<long()> function = copied;
  CHECK_EQ(function(), 7);
  auto heap = std::make_unique<decltype(copied)>(copied);
  CHECK_EQ((*heap)(), 7);
  cilk::opadd_reducer<long> several[2] = {3, 4}, value = 5;
  auto elements = [several] { return several[0] + several[1]; };
  CHECK_EQ(elements(), 7);
  auto inner = [several, value] {
    return [&several, &value] { return several[0] + several[1] + value; }();
  };
  CHECK_EQ(inner(), 12);
  auto both = [object, value] { return object.sum + value; };
  value += 1;
  CHECK_EQ(both(), 12);
  auto outer = [copied, made] { return copied() + made(); };
  CHECK_EQ(outer(), 12);
  Owner owner{{6}};
  CHECK_EQ(owner.own(), 6);
}

/// In a continuation, which may be stolen.
NOINLINE void check() {
  cilk_spawn nothing();
  closures();
  Account object{7};
  auto adds = [object](long n) mutable { return static_cast<long>(object.sum += n); };
  cilk_spawn adds(2);
  adds(3);
  cilk_sync;
  CHECK_EQ(adds(0), 12);
}

}  // namespace

int main() {
  for (int i = 0; i < 20; ++i) check();
  puts("right");
}
