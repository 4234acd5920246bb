// strassen with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

template <class Row>
static void for_rows(long rows, const Row &row) {
  if (rows < kParallelRows) {
    for (long i = 0; i < rows; ++i) row(i);
  } else {
    cilk_for (long i = 0; i < rows; ++i) row(i);
  }
}

static void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  Level level(a, b, n);
  for (int k = 0; k < kProducts; ++k) cilk_spawn multiply_part(level, k);
  cilk_sync;
  for_rows(level.rows(), [&](long i) { level.combine(c, i); });
}

BENCHMARK(bench::SquareProduct, solve)
