// strassen with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  Level level(a, b, n);
  tbb::task_group group;
  for (int k = 0; k < kProducts; ++k) group.run([&level, k] { multiply_part(level, k); });
  group.wait();
  if (level.rows() < kParallelRows)
    for (long i = 0; i < level.rows(); ++i) level.combine(c, i);
  else
    tbb::parallel_for(0L, level.rows(), [&](long i) { level.combine(c, i); });
}

static void solve(Product &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n}, input.n);
}

BENCHMARK(Product, solve)
