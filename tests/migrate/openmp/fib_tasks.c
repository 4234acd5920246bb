// Exercises: parallel + single, recursive fib with task shared(x), taskwait, omp_get_wtime.
#include <omp.h>
#include <stdio.h>

static long fib(int n) {
  long x, y;
  if (n < 2) return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

static long run(int n) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(n);
  return result;
}

int main(void) {
  double start = omp_get_wtime();
  for (int n = 4; n <= 10; n += 3) printf("fib(%d) = %ld\n", n, run(n));
  double elapsed = omp_get_wtime() - start;
  if (elapsed < 0.0) printf("clock went backwards\n");
  return 0;
}
