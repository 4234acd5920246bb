// matmul: C += A·B by divide and conquer on the longest of the three dimensions, so that it works
// for all shapes. The leaf is a loop that the optimizer vectorizes. The numbers are small integers,
// so that sums in any order are exact.
//
// matrix: args 96
// matrix: chaos-args 64

#include <cilk/cilk.h>

#include <vector>

#include "../support/check.h"

namespace {

constexpr int kLeaf = 16;

// A part of a matrix stored by rows, `stride` numbers apart.
struct Block {
  double *data;
  int stride;
  double *at(int row, int column) const { return data + static_cast<long>(row) * stride + column; }
  Block part(int row, int column) const { return {at(row, column), stride}; }
};

void multiply_leaf(Block c, Block a, Block b, int rows, int inner, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) {
      const double factor = *a.at(i, k);
      for (int j = 0; j < columns; ++j) *c.at(i, j) += factor * *b.at(k, j);
    }
  }
}

// c (rows by columns) += a (rows by inner) · b (inner by columns).
void multiply(Block c, Block a, Block b, int rows, int inner, int columns) {
  if (rows <= kLeaf && inner <= kLeaf && columns <= kLeaf) {
    multiply_leaf(c, a, b, rows, inner, columns);
  } else if (rows >= inner && rows >= columns) {
    const int half = rows / 2;
    cilk_spawn multiply(c, a, b, half, inner, columns);
    multiply(c.part(half, 0), a.part(half, 0), b, rows - half, inner, columns);
  } else if (columns >= inner) {
    const int half = columns / 2;
    cilk_spawn multiply(c, a, b, rows, inner, half);
    multiply(c.part(0, half), a, b.part(0, half), rows, inner, columns - half);
  } else {
    // Both halves add to all of c: one after the other.
    const int half = inner / 2;
    cilk_spawn multiply(c, a, b, rows, half, columns);
    cilk_sync;
    multiply(c, a.part(0, half), b.part(half, 0), rows, inner - half, columns);
  }
}

void check_product(int rows, int inner, int columns) {
  std::vector<double> a(rows * inner), b(inner * columns), c(rows * columns),
      expected(rows * columns);
  unsigned long random = 3;
  for (double &value : a) value = static_cast<double>(next_random(&random) % 19) - 9;
  for (double &value : b) value = static_cast<double>(next_random(&random) % 19) - 9;
  multiply({c.data(), columns}, {a.data(), inner}, {b.data(), columns}, rows, inner, columns);
  multiply_leaf({expected.data(), columns}, {a.data(), inner}, {b.data(), columns}, rows, inner,
                columns);
  CHECK(c == expected);
  unsigned long checksum = 0;
  for (double value : c)
    checksum = mix(checksum, static_cast<unsigned long>(static_cast<long>(value)));
  printf("matmul %dx%dx%d: checksum %016lx\n", rows, inner, columns, checksum);
}

}  // namespace

int main(int argc, char **argv) {
  const int size = static_cast<int>(size_argument(argc, argv, 512));
  check_product(size, size, size);
  check_product(size - 5, 2 * size + 1, 17);
  check_product(1, 3 * size, size);
  return 0;
}
