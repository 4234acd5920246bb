// The second module of late_modules.
#include "late.h"

#include "../../support/check.h"

NOINLINE long other(long n) { return n * n % 17; }

long elsewhere(long n) {
  long sums[64] = {};
  const long a = cilk_spawn tested<long>(n, 2);
  const long b = cilk_spawn Member{n}.under(1, 30);
  const long c = looped(sums, n, 5);
  cilk_sync;
  return a + b * 7 + c * 11 + sums[17];
}
