// Try blocks that spawn, in functions that spawn outside of them too: each try block is a sync region of its own. Its end waits for its
// own children only, and its handler catches what they threw, not what an outer child threw meanwhile.
//
// matrix: refused inside a try block of a function that also spawns outside of it is not supported

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Failure {
  long number;
};

NOINLINE long fine(long n) {
  linger();
  return n;
}
NOINLINE long fail_if(bool fails, long n) {
  linger();
  if (fails) throw Failure{n};
  return n;
}
NOINLINE void use(const Counted &counted, std::atomic<long> &sum) {
  linger();
  sum.fetch_add(counted.value(), std::memory_order_relaxed);
}

// Children before, in and behind the try block.
long before_and_behind(int which) {
  long result = 0;
  long before = cilk_spawn fine(3);
  try {
    long a = cilk_spawn fail_if(which == 1, 1);
    long b = cilk_spawn fail_if(which == 2, 2);
    long c = fail_if(which == 3, 3);
    cilk_sync;
    result = a + b + c;
  } catch (const Failure &failure) {
    result = -failure.number;
  }
  long behind = cilk_spawn fine(5);
  cilk_sync;
  return result * 100 + before * 10 + behind;
}

// The inner try does not catch what the outer one's child throws, and the other way round.
long nested_try(int which) {
  long result = 0;
  try {
    cilk_spawn fail_if(which == 1, 41);
    try {
      cilk_spawn fail_if(which == 2, 42);
      fail_if(which == 3, 43);
    } catch (const Failure &failure) {
      result += failure.number * 1000;
    }
    cilk_spawn fail_if(which == 4, 44);
  } catch (const Failure &failure) {
    result += failure.number;
  }
  return result;
}

// The end of an inner region does not wait for an outer child: that one waits for what only happens behind the inner region. In the
// serial elision it would wait for ever, so there it does not.
void outer_child_goes_on() {
  std::atomic<bool> inner_is_done{false};
  cilk_spawn [&] {
#ifndef CILK_SERIAL
    for (int i = 0; i < 100 && !inner_is_done.load(std::memory_order_acquire); ++i) linger();
#endif
  }();
  try {
    cilk_spawn fine(1);
    fine(2);
  } catch (const Failure &) {
  }
  inner_is_done.store(true, std::memory_order_release);
}

// Locals of the try block die before those of the function, each behind the children that use it.
void locals(std::atomic<long> &sum, bool fails) {
  BalanceCheck balance;
  Counted outer(1);
  cilk_spawn use(outer, sum);
  try {
    Counted inner(10);
    cilk_spawn use(outer, sum);
    cilk_spawn use(inner, sum);
    fail_if(fails, 1);
  } catch (const Failure &) {
    sum.fetch_add(1000, std::memory_order_relaxed);
  }
  cilk_spawn use(outer, sum);
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    printf("before and behind:");
    for (int which = 0; which < 4; ++which) printf(" %ld", before_and_behind(which));
    printf("\nnested try:");
    for (int which = 0; which < 5; ++which) printf(" %ld", nested_try(which));
    outer_child_goes_on();
    std::atomic<long> sum{0};
    locals(sum, false);
    locals(sum, true);
    printf("\nlocals: %ld\n", sum.load(std::memory_order_relaxed));
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
