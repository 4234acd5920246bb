// fib with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static long fib(long n) {
  if (n < 2) return n;
  long x;
#pragma omp task shared(x)
  x = fib(n - 1);
  const long y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

static void solve(Fib &input) { input.value = fib(input.n); }

BENCHMARK(Fib, solve)
