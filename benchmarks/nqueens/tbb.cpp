// nqueens with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static long place(Board board, int column, int n) {
  if (column == n) return 1;
  long counts[kMostQueens];
  tbb::task_group group;
  for (int i = 0; i < n; ++i) {
    if (board.is_safe(column, i))
      group.run([count = &counts[i], next = board.with(column, i), column, n] {
        *count = place(next, column + 1, n);
      });
    else
      counts[i] = 0;
  }
  group.wait();
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += counts[i];
  return sum;
}

static void solve(Queens &input) { input.count = place(Board(), 0, input.n); }

BENCHMARK(Queens, solve)
