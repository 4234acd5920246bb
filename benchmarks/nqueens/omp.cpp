// nqueens with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static long place(Board board, int column, int n) {
  if (column == n) return 1;
  long counts[kMostQueens];
  for (int i = 0; i < n; ++i) {
    if (board.is_safe(column, i)) {
      const Board next = board.with(column, i);
#pragma omp task shared(counts) firstprivate(next, i, column, n)
      counts[i] = place(next, column + 1, n);
    } else {
      counts[i] = 0;
    }
  }
#pragma omp taskwait
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += counts[i];
  return sum;
}

static void solve(Queens &input) { input.count = place(Board(), 0, input.n); }

BENCHMARK(Queens, solve)
