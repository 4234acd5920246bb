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
  for (int k = 0; k < kProducts; ++k) group.run([&level, k, n] { multiply(level.left(k), level.right(k), level.product(k), n / 2); });
  group.wait();
  level.combine(c);
}

static void solve(Product &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n}, input.n);
}

BENCHMARK(Product, solve)
