// Exercises: a lock that stays, whose type comes from a header in which nothing else uses OpenMP.
#include "shared_include.h"

#include <cstdio>

int main() {
  int v[100];
  long sum = 0;
  fill(v, 100);
  omp_lock_t lock;
  // stays: 'omp_init_lock' has no counterpart
  omp_init_lock(&lock);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += v[i];
  std::printf("%ld\n", sum);
}
