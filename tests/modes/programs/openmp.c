/* OpenMP and Cilk in one file: a parallel loop around, beside and inside of what spawns. */

#include "keywords.h"

static long loop(int n) {
  long total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; ++i) total += inline_fib(i % 8);
  return total;
}

static long simd(const long *values, int n) {
  long total = 0;
#pragma omp simd reduction(+ : total)
  for (int i = 0; i < n; ++i) total += values[i];
  return total;
}

int main(void) {
  long values[64], a = 0, b = 0;
  for (int i = 0; i < 64; ++i) values[i] = i;
  a = cilk_spawn loop(40);
  b = simd(values, 64);
  cilk_sync;
  printf("%ld %ld %ld\n", a, b, loop(10));
  return 0;
}
