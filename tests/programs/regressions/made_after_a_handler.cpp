// A variable that a spawned call's result constructs, where control comes through a handler alone:
// its constructor was taken for a destructor and left out.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

long alive = 0;

struct Number {
  NOINLINE explicit Number(long n) : value(n) { ++alive; }
  Number(const Number &) = delete;
  NOINLINE ~Number() {
    --alive;
    value = -1;
  }
  long value;
};

NOINLINE void throw_if(bool does) {
  if (does) throw 1;
}
NOINLINE long child(long n) {
  if (n == 5) throw 2L;
  return n;
}
NOINLINE Number make(long n) { return Number(child(n)); }

NOINLINE long of_an_argument(long n) {
  long sum = 0;
  while (n-- > 0) {
    try {
      throw_if(n % 2 != 0);
      continue;
    } catch (int) {
    }
    Number number(cilk_spawn child(n));
    cilk_sync;
    sum += number.value;
  }
  return sum;
}

NOINLINE long of_a_result(long n) {
  long sum = 0;
again:
  if (n-- == 0) return sum;
  try {
    throw_if(n % 2 != 0);
    goto again;
  } catch (int) {
  }
  Number number = cilk_spawn make(n);
  cilk_sync;
  sum += number.value;
  goto again;
}

template <long function(long)>
NOINLINE void check() {
  CHECK_EQ(function(4), 3 + 1);
  CHECK_EQ(alive, 0);
  long caught = 0;
  try {
    function(8);
  } catch (long n) {
    caught = n;
  }
  CHECK_EQ(caught, 2);
  CHECK_EQ(alive, 0);
}

}  // namespace

int main() {
  check<of_an_argument>();
  check<of_a_result>();
}
