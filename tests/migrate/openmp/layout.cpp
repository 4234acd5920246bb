// Exercises: an include between empty lines, short conditions before it, names like OpenMP's,
// macros that stand for its functions.
#ifndef N
#define N 1000
#endif

#include <cstdio>
#if !defined(NO_OPENMP) && defined(HAVE_OPENMP)
#include <vector>
#endif

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1  // keeps: a macro for OpenMP's
#endif

int main() {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; ++i) sum += i % 7;
  std::printf("%ld\n", sum);
}
