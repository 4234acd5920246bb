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
#pragma omp task shared(level) firstprivate(k)
    multiply_part(level, k);
  }
#pragma omp taskwait
  if (level.rows() < kParallelRows) {
    for (long i = 0; i < level.rows(); ++i) level.combine(c, i);
  } else {
#pragma omp taskloop shared(level)
    for (long i = 0; i < level.rows(); ++i) level.combine(c, i);
  }
}

static void solve(Product &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n}, input.n);
}

BENCHMARK(Product, solve)
