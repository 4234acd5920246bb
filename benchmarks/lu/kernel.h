// lu: LU decomposition without pivoting of a size x size matrix (16 times a power of two),
// recursive down to blocks of 16 x 16. A matrix is stored as its quarters, one after the other,
// each in the same way.
#ifndef BENCHMARKS_LU_KERNEL_H
#define BENCHMARKS_LU_KERNEL_H

#include <cmath>
#include <vector>

#include "../support/program.h"

constexpr long kBlock = 16;

/// A matrix, or a quarter of one.
struct View {
  View quarter(int row, int column, long half) const {
    return {at + (2 * row + column) * half * half};
  }
  /// An element of a block.
  double &operator()(long i, long j) const { return at[i * kBlock + j]; }

  double *at;
};

inline void lu_block(View m) {
  for (long k = 0; k < kBlock; ++k)
    for (long i = k + 1; i < kBlock; ++i) {
      m(i, k) /= m(k, k);
      for (long j = k + 1; j < kBlock; ++j) m(i, j) -= m(i, k) * m(k, j);
    }
}

/// m = l⁻¹ m, l unit lower triangular.
inline void lower_solve_block(View m, View l) {
  for (long i = 1; i < kBlock; ++i)
    for (long k = 0; k < i; ++k)
      for (long j = 0; j < kBlock; ++j) m(i, j) -= l(i, k) * m(k, j);
}

/// m = m u⁻¹, u upper triangular.
inline void upper_solve_block(View m, View u) {
  for (long i = 0; i < kBlock; ++i)
    for (long k = 0; k < kBlock; ++k) {
      m(i, k) /= u(k, k);
      for (long j = k + 1; j < kBlock; ++j) m(i, j) -= m(i, k) * u(k, j);
    }
}

/// m -= v w.
inline void schur_block(View m, View v, View w) {
  for (long i = 0; i < kBlock; ++i)
    for (long k = 0; k < kBlock; ++k)
      for (long j = 0; j < kBlock; ++j) m(i, j) -= v(i, k) * w(k, j);
}

// What each variant defines.
static void schur(View m, View v, View w, long n);
static void lower_solve(View m, View l, long n);
static void upper_solve(View m, View u, long n);

// The column of m's quarters.
static void lower_solve_column(View upper, View lower, View l, long half) {
  lower_solve(upper, l.quarter(0, 0, half), half);
  schur(lower, l.quarter(1, 0, half), upper, half);
  lower_solve(lower, l.quarter(1, 1, half), half);
}

// The row of m's quarters.
static void upper_solve_row(View left, View right, View u, long half) {
  upper_solve(left, u.quarter(0, 0, half), half);
  schur(right, left, u.quarter(0, 1, half), half);
  upper_solve(right, u.quarter(1, 1, half), half);
}

struct Matrix {
  explicit Matrix(long size) : n(size), data(static_cast<std::size_t>(n * n)) {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = bench::uniform(i);
    for (long i = 0; i < n; ++i) data[index(i, i)] += static_cast<double>(n);  // no pivot is small
    original = data;
  }
  View view() { return {data.data()}; }

  /// Checks L (U x) = A x for one vector.
  std::string result() const {
    const auto at = [this](long i, long j) { return data[index(i, j)]; };
    std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = bench::uniform(7 + i);
    for (long i = 0; i < n; ++i)
      for (long j = i; j < n; ++j)
        y[static_cast<std::size_t>(i)] += at(i, j) * x[static_cast<std::size_t>(j)];
    double error = 0, sum = 0;
    for (long i = 0; i < n; ++i) {
      double product = y[static_cast<std::size_t>(i)], expected = 0;
      for (long j = 0; j < i; ++j) product += at(i, j) * y[static_cast<std::size_t>(j)];
      for (long j = 0; j < n; ++j)
        expected += original[index(i, j)] * x[static_cast<std::size_t>(j)];
      error = std::fmax(error, std::fabs(product - expected));
      sum += at(i, n - 1 - i);
    }
    return error < 1e-7 ? bench::text("lu %ld: %.12g", n, sum) : "";
  }

  /// Where element (i, j) is.
  std::size_t index(long i, long j) const {
    long block = 0;
    for (long half = n / 2; half >= kBlock; half /= 2)
      block = 4 * block + 2 * (i / half % 2) + j / half % 2;
    return static_cast<std::size_t>((block * kBlock + i % kBlock) * kBlock + j % kBlock);
  }

  long n;
  std::vector<double> data, original;
};

// What each variant defines.
static void lu(View m, long n);

static void solve(Matrix &input) { lu(input.view(), input.n); }

#endif
