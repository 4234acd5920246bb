// tbb::task_group n-queens: group.run in a loop, lambdas with init captures.
#include <tbb/task_group.h>

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <utility>
#include <vector>

using Board = std::vector<int>;

static bool safe(const Board &board, int col) {
  const int row = int(board.size());
  for (int r = 0; r < row; ++r) {
    if (board[r] == col || std::abs(board[r] - col) == row - r) return false;
  }
  return true;
}

static long solve(int n, const Board &board) {
  if (int(board.size()) == n) return 1;
  std::vector<long> counts(n, 0);
  tbb::task_group group;
  for (int col = 0; col < n; ++col) {
    if (!safe(board, col)) continue;
    Board next = board;
    next.push_back(col);
    group.run([n, &count = counts[col], next = std::move(next)] { count = solve(n, next); });
  }
  group.wait();
  return std::accumulate(counts.begin(), counts.end(), 0L);
}

int main() {
  for (int n = 4; n <= 8; ++n) std::cout << n << " queens: " << solve(n, {}) << '\n';
  return 0;
}
