// In `T x = cilk_spawn f();` f throws: x was never constructed, so it must not be destroyed. A
// stolen continuation has passed the declaration before the sync raises the exception.

#include <cilk/cilk.h>

#include <memory>
#include <string>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Failure {
  long number;
};

NOINLINE Counted make(long value, bool fails) {
  linger();
  if (fails) throw Failure{value};
  return Counted(value);
}
NOINLINE std::string make_text(long value, bool fails) {
  linger();
  if (fails) throw Failure{value};
  return std::string(40, 't');
}
NOINLINE std::unique_ptr<Counted> make_owner(long value, bool fails) {
  linger();
  if (fails) throw Failure{value};
  return std::make_unique<Counted>(value);
}

long one(int which) {
  try {
    Counted before(1);
    Counted result = cilk_spawn make(10, which == 1);
    Counted after(2);
    cilk_sync;
    return before.value() + result.value() + after.value();
  } catch (const Failure &failure) {
    return -failure.number;
  }
}

long several(int which) {
  Counted a = cilk_spawn make(10, which & 1);
  std::string b = cilk_spawn make_text(20, which & 2);
  std::unique_ptr<Counted> c = cilk_spawn make_owner(30, which & 4);
  Counted d = make(40, which & 8);
  cilk_sync;
  return a.value() + static_cast<long>(b.size()) + c->value() + d.value();
}

// The same for an object that a child returns and whose life a reference extends.
struct Wide {
  virtual ~Wide() = default;
  long wide = 5;
};
struct Derived : Wide, Counted {
  explicit Derived(long value) : Counted(value) {}
};
NOINLINE Derived make_derived(long value, bool fails) {
  linger();
  if (fails) throw Failure{value};
  return Derived(value);
}
struct Holder {
  const Counted &counted;
};

long by_reference(int which) {
  try {
    const Counted &a = cilk_spawn make(10, which & 1);
    Counted &&b = cilk_spawn make(20, which & 2);
    const Counted &base = cilk_spawn make_derived(30, which & 4);
    Holder holder{cilk_spawn make(40, which & 8)};
    Counted after(2);
    cilk_sync;
    return a.value() + b.value() + base.value() + holder.counted.value() + after.value();
  } catch (const Failure &failure) {
    return -failure.number;
  }
}

long in_a_loop(int which) {
  long sum = 0;
  for (int i = 0; i < 5; ++i) {
    Counted result = cilk_spawn make(i, i == which);
    Counted other = make(i, false);
    cilk_sync;
    sum += result.value() + other.value();
  }
  return sum;
}

long caught(long (*run)(int), int which) {
  try {
    return run(which);
  } catch (const Failure &failure) {
    return -failure.number;
  }
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    printf("one: %ld %ld\nseveral:", one(0), one(1));
    for (int which = 0; which < 16; ++which) printf(" %ld", caught(several, which));
    printf("\nby reference:");
    for (int which = 0; which < 16; ++which) printf(" %ld", by_reference(which));
    printf("\nloop:");
    for (int which = 0; which < 6; ++which) printf(" %ld", caught(in_a_loop, which));
    printf("\n");
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
