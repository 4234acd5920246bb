// Functions of a header that are cut behind their tests, in two modules (late.h).
#include <cstdio>

#include "late.h"

int main() {
  long sums[64] = {};
  const long a = cilk_spawn tested<long>(11, 4);
  const long b = cilk_spawn Member{3}.under(0, 50);
  const long c = looped(sums, 9, 1);
  cilk_sync;
  std::printf("%ld %ld %ld %ld\n", a, b, c, sums[63]);
  std::printf("%ld\n", elsewhere(10));
  return 0;
}
