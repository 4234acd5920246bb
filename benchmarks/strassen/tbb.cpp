// strassen with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

template <class Row>
static void for_rows(long rows, const Row &row) {
  if (rows < kParallelRows) {
    for (long i = 0; i < rows; ++i) row(i);
  } else {
    tbb::parallel_for(0L, rows, row);
  }
}

static void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  Level level(a, b, n);
  tbb::task_group group;
  for (int k = 0; k < kProducts; ++k) group.run([&level, k] { multiply_part(level, k); });
  group.wait();
  for_rows(level.rows(), [&](long i) { level.combine(c, i); });
}

BENCHMARK(bench::SquareProduct, solve)
