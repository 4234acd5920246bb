// fib with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static long fib(long n) {
  if (n < 2) return n;
  long x;
  tbb::task_group group;
  group.run([&x, n] { x = fib(n - 1); });
  const long y = fib(n - 2);
  group.wait();
  return x + y;
}

static void solve(Fib &input) { input.value = fib(input.n); }

BENCHMARK(Fib, solve)
