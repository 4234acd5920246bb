// A program that has enabled traps of floating-point operations: the runtime's own arithmetic, from
// the first spawn to the report at the end, raises none, and leaves no flag of them.
#include <cilk/cilk.h>

#include "../support/check.h"

#include <cfenv>
#include <cstdio>

static long fib(long n) {
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  constexpr int kUsual = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
  feenableexcept(kUsual);  // -1 where the processor has no traps
  feclearexcept(FE_ALL_EXCEPT);
  const long small = fib(2);  // starts the runtime
  CHECK_EQ(fetestexcept(kUsual), 0);
  std::printf("traps: %ld, %ld\n", small, fib(15));
}
