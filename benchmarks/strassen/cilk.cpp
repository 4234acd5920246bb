// strassen with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

static void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  Level level(a, b, n);
  for (int k = 0; k < kProducts; ++k) cilk_spawn multiply_part(level, k);
  cilk_sync;
  if (level.rows() < kParallelRows) {
    for (long i = 0; i < level.rows(); ++i) level.combine(c, i);
  } else {
    cilk_for (long i = 0; i < level.rows(); ++i) level.combine(c, i);
  }
}

static void solve(Product &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n}, input.n);
}

BENCHMARK(Product, solve)
