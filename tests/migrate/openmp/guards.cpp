// Exercises: pragmas and headers under #ifdef _OPENMP, and functions that stand for OpenMP's.
#include <cstdio>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#else  // keeps: functions that stand for those of OpenMP
static int omp_get_max_threads() { return 1; }
#define omp_get_thread_num() 0
#endif

int main() {
  const int n = 3000;
  std::vector<int> v(n);
  std::vector<long> slots(omp_get_max_threads() + 1);
#if _OPENMP  // with a comment
#pragma omp parallel for
#endif
  for (int i = 0; i < n; ++i) v[i] = i * 7 % 101;

  long sum = 0, odd = 0;
#if defined(_OPENMP)
#pragma omp parallel for reduction(+ : sum) reduction(+ : odd) schedule(dynamic, 16)
#endif
  for (int i = 0; i < n; ++i) {
    sum += v[i];
    if (v[i] % 2) ++odd;
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const int me = omp_get_thread_num();
#ifdef _OPENMP
#pragma omp atomic
#endif
    slots[me] += v[i];
  }
  long all = 0;
  for (const long slot : slots) all += slot;
  std::printf("%ld %ld %ld\n", sum, odd, all);
}
