// strassen with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

template <class Row>
static void for_rows(long rows, const Row &row) {
  if (rows < kParallelRows) {
    for (long i = 0; i < rows; ++i) row(i);
  } else {
#pragma omp taskloop shared(row)
    for (long i = 0; i < rows; ++i) row(i);
  }
}

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
  for_rows(level.rows(), [&](long i) { level.combine(c, i); });
}

BENCHMARK(bench::SquareProduct, solve)
