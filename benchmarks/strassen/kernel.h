// strassen: product of square matrices by seven products of halves, each a spawn, down to 64 x 64. A child makes its own operands; rows of
// large results are combined in parallel.
#ifndef BENCHMARKS_STRASSEN_KERNEL_H
#define BENCHMARKS_STRASSEN_KERNEL_H

#include <memory>

#include "../support/matrix.h"

constexpr long kLeaf = 64;
constexpr long kParallelRows = 256; // so many rows are worth a parallel loop
constexpr int kProducts = 7;

/// A square part of a matrix; rows are `stride` apart.
struct View {
  View quarter(int row, int column, long half) const { return {at + row * half * stride + column * half, stride}; }

  double *at;
  long stride;
};

inline void multiply_leaf(View a, View b, View c, long n) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c.at[i * c.stride + j] = 0;
    for (long p = 0; p < n; ++p) {
      const double factor = a.at[i * a.stride + p];
      for (long j = 0; j < n; ++j) c.at[i * c.stride + j] += factor * b.at[p * b.stride + j];
    }
  }
}

/// The operands and the products of one level: each an n/2 x n/2 matrix.
class Level {
 public:
  Level(View a, View b, long n)
      : half_(n / 2), a_(a), b_(b), memory_(std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(3 * kProducts * half_ * half_))) {}
  /// Makes the operands of product k. Different ones at once.
  void prepare(int k) {
    // Which quarters make them: a quarter, and a second with its sign (0: none).
    constexpr Terms kLeft[kProducts] = {{0, 3, 1}, {2, 3, 1}, {0, 0, 0}, {3, 0, 0}, {0, 1, 1}, {2, 0, -1}, {1, 3, -1}};
    constexpr Terms kRight[kProducts] = {{0, 3, 1}, {0, 0, 0}, {1, 3, -1}, {2, 0, -1}, {3, 0, 0}, {0, 1, 1}, {2, 3, 1}};
    sum(a_, kLeft[k], left(k));
    sum(b_, kRight[k], right(k));
  }
  long rows() const { return half_; }
  View left(int k) { return part(k); }
  View right(int k) { return part(kProducts + k); }
  View product(int k) { return part(2 * kProducts + k); }

  /// Row i of the quarters of c from the seven products. Different ones at once.
  void combine(View c, long i) {
    for (long j = 0; j < half_; ++j) {
      double m[kProducts];
      for (int k = 0; k < kProducts; ++k) m[k] = product(k).at[i * half_ + j];
      double *const upper = c.at + i * c.stride + j, *const lower = upper + half_ * c.stride;
      upper[0] = m[0] + m[3] - m[4] + m[6];
      upper[half_] = m[2] + m[4];
      lower[0] = m[1] + m[3];
      lower[half_] = m[0] - m[1] + m[2] + m[5];
    }
  }

 private:
  struct Terms {
    int first, second, sign;
  };

  View part(int index) { return {memory_.get() + index * half_ * half_, half_}; }

  void sum(View from, Terms terms, View to) const {
    const View x = from.quarter(terms.first / 2, terms.first % 2, half_), y = from.quarter(terms.second / 2, terms.second % 2, half_);
    for (long i = 0; i < half_; ++i)
      for (long j = 0; j < half_; ++j) to.at[i * half_ + j] = x.at[i * x.stride + j] + terms.sign * y.at[i * y.stride + j];
  }

  long half_;
  View a_, b_;
  std::unique_ptr<double[]> memory_;
};

// What each variant defines.
static void multiply(View a, View b, View c, long n);

/// Product k of a level, operands included.
static void multiply_part(Level &level, int k) {
  level.prepare(k);
  multiply(level.left(k), level.right(k), level.product(k), level.rows());
}

struct Product {
  explicit Product(long size)
      : n(size), a(bench::small_numbers(n * n, 1)), b(bench::small_numbers(n * n, 1u << 30)), c(static_cast<std::size_t>(n * n)) {}
  std::string result() const {
    const auto at = [this](const bench::Numbers &m) { return [this, &m](long i, long j) { return m[static_cast<std::size_t>(i * n + j)]; }; };
    return bench::product_result(n, n, n, at(a), at(b), at(c));
  }

  long n;
  bench::Numbers a, b, c;
};

#endif
