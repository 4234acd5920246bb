// The rounding mode of the thread that spawns holds on every path: after a steal, on a stack that
// was suspended and resumed, and in a spawn on another thread that has another one.
#include <cilk/cilk.h>

#include "../support/check.h"

#include <cfenv>
#include <cstdio>
#include <thread>

static long tree(int depth, int mode) {
  CHECK(std::fegetround() == mode);
  if (depth == 0) return 1;
  long left = cilk_spawn tree(depth - 1, mode);
  CHECK(std::fegetround() == mode);
  long right = tree(depth - 1, mode);
  cilk_sync;
  CHECK(std::fegetround() == mode);
  return left + right;
}

int main() {
  std::fesetround(FE_UPWARD);
  long other = 0;
  std::thread thread([&other] {
    std::fesetround(FE_TOWARDZERO);
    other = tree(7, FE_TOWARDZERO);
  });
  const long own = tree(7, FE_UPWARD);
  thread.join();
  std::printf("rounding: %ld, %ld\n", own, other);
}
