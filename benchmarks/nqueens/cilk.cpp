// nqueens with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

static long place(Board board, int column, int n) {
  if (column == n) return 1;
  long counts[kMostQueens];
  for (int i = 0; i < n; ++i) {
    if (board.is_safe(column, i))
      counts[i] = cilk_spawn place(board.with(column, i), column + 1, n);
    else
      counts[i] = 0;
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += counts[i];
  return sum;
}

static void solve(Queens &input) { input.count = place(Board(), 0, input.n); }

BENCHMARK(Queens, solve)
