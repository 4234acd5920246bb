// strassen with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  Level level(a, b, n);
  for (int k = 0; k < kProducts; ++k) {
#pragma omp task shared(level) firstprivate(k, n)
    multiply(level.left(k), level.right(k), level.product(k), n / 2);
  }
#pragma omp taskwait
  level.combine(c);
}

static void solve(Product &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n}, input.n);
}

BENCHMARK(Product, solve)
