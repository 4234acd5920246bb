// rectmul: product of rectangular matrices (size by size/2 by 2·size) kept as blocks of 16 x 16,
// the longest side halved down to a block.
#ifndef BENCHMARKS_RECTMUL_KERNEL_H
#define BENCHMARKS_RECTMUL_KERNEL_H

#include "../support/matrix.h"

constexpr long kBlock = 16;

struct Block {
  double at[kBlock][kBlock] = {};
};

/// c = a * b, or c += a * b.
inline void multiply_block(const Block &a, const Block &b, Block &c, bool add) {
  if (!add) c = Block();
  for (long i = 0; i < kBlock; ++i)
    for (long p = 0; p < kBlock; ++p)
      for (long j = 0; j < kBlock; ++j) c.at[i][j] += a.at[i][p] * b.at[p][j];
}

/// Rows by columns of blocks.
struct Blocks {
  Blocks(long row_count, long column_count, std::uint64_t seed)
      : rows(row_count / kBlock), columns(column_count / kBlock) {
    blocks.resize(static_cast<std::size_t>(rows * columns));
    if (seed == 0) return;
    for (Block &block : blocks)
      for (auto &row : block.at)
        for (double &value : row) value = static_cast<double>(bench::mixed(seed++) % 9) - 4;
  }
  double operator()(long i, long j) const {
    return blocks[static_cast<std::size_t>(i / kBlock * columns + j / kBlock)]
        .at[i % kBlock][j % kBlock];
  }

  long rows, columns;
  std::vector<Block> blocks;
};

struct Product {
  explicit Product(long size)
      : a(size, size / 2, 1), b(size / 2, size * 2, 1u << 30), c(size, size * 2, 0) {}
  std::string result() const {
    return bench::product_result(c.rows * kBlock, a.columns * kBlock, c.columns * kBlock, a, b, c);
  }

  Blocks a, b, c;
};

// What each variant defines.
static void multiply(const Block *a, const Block *b, Block *c, long m, long k, long n,
                     long k_stride, long n_stride, bool add);

static void solve(Product &input) {
  multiply(input.a.blocks.data(), input.b.blocks.data(), input.c.blocks.data(), input.a.rows,
           input.a.columns, input.b.columns, input.a.columns, input.b.columns, false);
}

#endif
