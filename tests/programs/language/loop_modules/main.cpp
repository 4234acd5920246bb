// Inline functions of a header with loops and regions, in two modules (loops.h).
#include <cstdio>

#include "loops.h"

int main() {
  const long table[8] = {1, 4, 9, 16, 25, 36, 49, 64};
  long values[50];
  for (long i = 0; i < 50; ++i) values[i] = i % 5;
  std::printf("%ld %ld %ld %ld\n", sum(table, 3), scaled<long>(values, 50), nested<long>(4),
              scoped(3));
  std::printf("%ld\n", elsewhere(9));
  return 0;
}
