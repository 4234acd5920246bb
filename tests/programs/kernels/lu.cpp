// lu: LU decomposition without pivoting, by blocks: the diagonal block serially, its row and column
// of blocks in parallel, then all other blocks in parallel. Each number is computed by the same
// operations in the same order whatever the schedule, so the result has the same bits as the serial
// one.
//
// matrix: args 64
// matrix: chaos-args 48

#include <cilk/cilk.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "../support/check.h"

namespace {

constexpr int kBlock = 8;

class Lu {
 public:
  explicit Lu(std::vector<double> &matrix, int size)
      : matrix_(matrix), size_(size), blocks_(size / kBlock) {}

  // matrix_ becomes L below the diagonal (whose own diagonal is 1) and U from the diagonal on.
  void decompose() {
    for (int k = 0; k < blocks_; ++k) {
      factor_diagonal(k);
      for (int i = k + 1; i < blocks_; ++i) {
        cilk_spawn solve_row(k, i);
        cilk_spawn solve_column(k, i);
      }
      cilk_sync;
      update(k, k + 1, k + 1, blocks_, blocks_);
    }
  }

 private:
  double &at(int row, int column) {
    return matrix_[static_cast<std::size_t>(row) * size_ + column];
  }

  void factor_diagonal(int k) {
    const int begin = k * kBlock, end = begin + kBlock;
    for (int p = begin; p < end; ++p) {
      for (int i = p + 1; i < end; ++i) {
        at(i, p) /= at(p, p);
        for (int j = p + 1; j < end; ++j) at(i, j) -= at(i, p) * at(p, j);
      }
    }
  }

  void solve_row(int k, int column) {
    const int begin = k * kBlock, end = begin + kBlock;
    for (int p = begin; p < end; ++p) {
      for (int i = p + 1; i < end; ++i) {
        for (int j = column * kBlock; j < (column + 1) * kBlock; ++j)
          at(i, j) -= at(i, p) * at(p, j);
      }
    }
  }

  void solve_column(int k, int row) {
    const int begin = k * kBlock, end = begin + kBlock;
    for (int i = row * kBlock; i < (row + 1) * kBlock; ++i) {
      for (int p = begin; p < end; ++p) {
        at(i, p) /= at(p, p);
        for (int j = p + 1; j < end; ++j) at(i, j) -= at(i, p) * at(p, j);
      }
    }
  }

  // Subtracts row k times column k of blocks from the blocks [row, row_end) by [column,
  // column_end).
  void update(int k, int row, int column, int row_end, int column_end) {
    const int rows = row_end - row, columns = column_end - column;
    if (rows <= 0 || columns <= 0) return;
    if (rows == 1 && columns == 1) {
      update_block(k, row, column);
    } else if (rows >= columns) {
      cilk_spawn update(k, row, column, row + rows / 2, column_end);
      update(k, row + rows / 2, column, row_end, column_end);
    } else {
      cilk_spawn this->update(k, row, column, row_end, column + columns / 2);
      this->update(k, row, column + columns / 2, row_end, column_end);
    }
  }

  void update_block(int k, int row, int column) {
    for (int i = row * kBlock; i < (row + 1) * kBlock; ++i) {
      for (int p = k * kBlock; p < (k + 1) * kBlock; ++p) {
        for (int j = column * kBlock; j < (column + 1) * kBlock; ++j)
          at(i, j) -= at(i, p) * at(p, j);
      }
    }
  }

  std::vector<double> &matrix_;
  int size_, blocks_;
};

}  // namespace

int main(int argc, char **argv) {
  const int size = static_cast<int>(size_argument(argc, argv, 256)) / kBlock * kBlock;
  std::vector<double> matrix(static_cast<std::size_t>(size) * size);
  unsigned long random = 5;
  for (double &value : matrix) value = static_cast<double>(next_random(&random) % 1000) / 1000;
  for (int i = 0; i < size; ++i)
    matrix[static_cast<std::size_t>(i) * size + i] += size;  // no pivot is small
  const std::vector<double> original = matrix;

  Lu(matrix, size).decompose();

  double error = 0;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      double sum = 0;
      for (int p = 0; p <= std::min(i, j); ++p) {
        sum += (p == i ? 1 : matrix[static_cast<std::size_t>(i) * size + p]) *
               matrix[static_cast<std::size_t>(p) * size + j];
      }
      error = std::max(error, std::fabs(sum - original[static_cast<std::size_t>(i) * size + j]));
    }
  }
  CHECK(error < 1e-9);
  unsigned long checksum = 0;
  for (double value : matrix) {
    unsigned long bits;
    std::memcpy(&bits, &value, sizeof bits);
    checksum = mix(checksum, bits);
  }
  printf("lu %dx%d: checksum %016lx\n", size, size, checksum);
  return 0;
}
