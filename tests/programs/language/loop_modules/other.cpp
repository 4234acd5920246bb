// The second module of loop_modules.
#include "loops.h"

#include "../../support/check.h"

NOINLINE long other(long n) { return n * n % 19; }

long elsewhere(long n) {
  const long table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  long values[40];
  for (long i = 0; i < 40; ++i) values[i] = i % 7;
  return sum(table, n) + scaled<long>(values, 40) + nested<long>(n) + scoped(n);
}
