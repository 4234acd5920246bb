// Loops whose body has no braces, headers under a condition, and a chunk that is computed.
#include <cstdio>
#ifdef _OPENMP
#include <omp.h>
#endif

int a[1000];

int main() {
  const double begun = omp_get_wtime();
  long sum = 0, most = 0;
  int n = 1000;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; ++i)
#pragma omp critical
    sum += i;
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < 10; ++i)
    if (i % 2 != 0)
#pragma omp critical
      most = most > i ? most : i;
#pragma omp parallel for schedule(dynamic, n / 4)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for schedule(guided, n / (4 * omp_get_max_threads()))
  for (int i = 0; i < n; ++i) a[i] += i;
  std::printf("%ld %ld %d %d\n", sum, most, a[999], omp_get_wtime() >= begun);
}
