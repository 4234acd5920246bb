// Hyperobjects in parameters and members of a function with a function try block, and in what a
// handler catches by value: the strand did not know them, so after a steal the value that they
// began with was lost.

#include <cilk/cilk.h>

#include <stdexcept>

#include "../support/check.h"

namespace {

struct Add {
  static void zero(void *view) { *static_cast<long *>(view) = 0; }
  static void plus(void *left, void *right) {
    *static_cast<long *>(left) += *static_cast<long *>(right);
  }
};

struct Sum {
  long cilk_reducer(Add::zero, Add::plus) value = 7;
};

NOINLINE void nothing() { linger(); }

NOINLINE void fail_if(bool fails) {
  if (fails) throw std::runtime_error("as asked");
}

NOINLINE long parameter(Sum sum, bool fails) try {
  sum.value += 1;
  fail_if(fails);
  return sum.value;
} catch (const std::exception &) {
  sum.value += 10;
  return sum.value;
}

template <class T>
NOINLINE T instance(Sum sum, T) try {
  cilk_for (int i = 0; i < 10; ++i) sum.value += i;
  return sum.value;
} catch (...) {
  return -1;
}

struct Account {
  long cilk_reducer(Add::zero, Add::plus) total = 7;
  long *out;

  Account(long *out, Sum sum, bool fails) try : out(out) {
    cilk_for (int i = 0; i < 10; ++i) total += i;
    fail_if(fails);
    *out = total;
  } catch (const std::exception &) {
    sum.value += 1;
    *out = sum.value;
  }
  ~Account() try {
    total += 100;
    *out = total;
  } catch (...) {
  }
};

NOINLINE long caught() {
  try {
    throw Sum{};
  } catch (Sum sum) {
    sum.value += 1;
    return sum.value;
  }
}

/// In a continuation, which may be stolen.
NOINLINE void check() {
  cilk_spawn nothing();
  CHECK_EQ(parameter({}, false), 8);
  CHECK_EQ(parameter({}, true), 18);
  CHECK_EQ(instance({}, 1), 52);
  CHECK_EQ(instance({}, 1L), 52);
  long out = 0;
  {
    Account account(&out, {}, false);
    CHECK_EQ(out, 52);
  }
  CHECK_EQ(out, 152);
  bool failed = false;
  try {
    Account account(&out, {}, true);
  } catch (const std::exception &) {
    failed = true;
  }
  CHECK_EQ(failed, true);
  CHECK_EQ(out, 8);
  CHECK_EQ(caught(), 8);
  cilk_sync;
}

}  // namespace

int main() {
  for (int i = 0; i < 20; ++i) check();
  puts("right");
}
