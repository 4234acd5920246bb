// Try blocks that spawn, in functions that spawn before and after them too: each try block is a
// sync region of its own, with locals that die at its end. regions.cpp has the exceptions of outer
// children.

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"
#include "../support/counted.h"
#include "../support/failure.h"

namespace {

NOINLINE void use(const Counted &counted, std::atomic<long> &sum) {
  linger();
  sum.fetch_add(counted.value(), std::memory_order_relaxed);
}

// Children before, in and after the try block.
long before_and_after(int which) {
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
  long after = cilk_spawn fine(5);
  cilk_sync;
  return result * 100 + before * 10 + after;
}

// Locals of the try block die before those of the function, each after the children that use it.
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
    printf("before and after:");
    for (int which = 0; which < 4; ++which) printf(" %ld", before_and_after(which));
    std::atomic<long> sum{0};
    locals(sum, false);
    locals(sum, true);
    printf("\nlocals: %ld\n", sum.load(std::memory_order_relaxed));
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
