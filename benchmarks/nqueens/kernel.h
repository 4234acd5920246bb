// nqueens: counts the ways to place n queens. A spawn for each safe place; the board is copied to
// each child, 16 bytes in registers.
#ifndef BENCHMARKS_NQUEENS_KERNEL_H
#define BENCHMARKS_NQUEENS_KERNEL_H

#include "../support/program.h"

constexpr int kMostQueens = 16;

struct Board {
  signed char row[kMostQueens] = {};

  /// Whether a queen of column `column` in row `place` attacks none of those in the columns before
  /// it.
  bool is_safe(int column, int place) const {
    for (int i = 0; i < column; ++i) {
      const int distance = row[i] - place;
      if (distance == 0 || distance == column - i || distance == i - column) return false;
    }
    return true;
  }
  Board with(int column, int place) const {
    Board next = *this;
    next.row[column] = static_cast<signed char>(place);
    return next;
  }
};

struct Queens {
  explicit Queens(long size) : n(static_cast<int>(size)) {}
  std::string result() const {
    constexpr long kKnown[] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                               352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return n <= kMostQueens && count == kKnown[n] ? bench::text("%d queens: %ld", n, count) : "";
  }

  int n;
  long count = -1;
};

#endif
