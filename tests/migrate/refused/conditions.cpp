// Pragmas under a condition of the program's own, and conditions in what would be replaced: every
// construct stays, since the new code would compile only with the macros of now.
#define USE_OMP
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <cstdio>
#include <vector>

void loops(int n, long &s) {
#ifdef USE_OMP
  // stays: its pragma and its code are not under the same #if
#pragma omp parallel for reduction(+ : s)
#endif
  for (int i = 0; i < n; ++i) s += i;
  // stays: its pragma and its code are not under the same #if
#pragma omp parallel for
#if defined(USE_OMP)
  for (int i = 0; i < n; ++i)
#else
  for (long i = 0; i < n; ++i)
#endif
    std::printf("%d\n", i);
}

void tasks(int *a) {
#ifdef USE_OMP
#pragma omp parallel
  // stays: its pragma and its code are not under the same #if
#pragma omp single
#endif
  {
#ifdef USE_OMP
#pragma omp task
#endif
    a[0] = 1;
#ifdef USE_OMP
#pragma omp taskwait
#endif
  }
}

void ranges(std::vector<int> &v, int &a, int &b) {
  // stays: preprocessor directives stand in code that would go
  tbb::parallel_for(tbb::blocked_range<int>(0, 50), [&](const tbb::blocked_range<int> &r) {
#ifdef TRACE
    std::printf("part\n");
#endif
    for (int i = r.begin(); i != r.end(); ++i) v[i] = i;
  });
  // stays: preprocessor directives stand in code that would go
  tbb::parallel_invoke([&] { a = v[0]; },
#ifdef TRACE
                       [&] { std::printf("middle\n"); },
#endif
                       [&] { b = v[1]; });
}
