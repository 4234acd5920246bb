// Square and rectangular matrices of small whole numbers, so that products are exact in every
// order; used by matmul, rectmul, strassen.
#ifndef BENCHMARKS_SUPPORT_MATRIX_H
#define BENCHMARKS_SUPPORT_MATRIX_H

#include <vector>

#include "program.h"

namespace bench {

using Numbers = std::vector<double>;

/// rows * columns whole numbers from -4 to 4.
inline Numbers small_numbers(long count, std::uint64_t seed) {
  Numbers numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<double>(mixed(seed + i) % 9) - 4;
  return numbers;
}

/// The product of a matrix of `rows` rows, given by its elements, and a vector.
template <class At>
Numbers times_vector(long rows, const Numbers &x, const At &at) {
  Numbers y(static_cast<std::size_t>(rows));
  for (long i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      y[static_cast<std::size_t>(i)] += at(i, static_cast<long>(j)) * x[j];
  return y;
}

/// Freivalds's check that a * b = c by one random vector, exact here, and a line with the sum of
/// c's elements. Elements are functions of row and column; a is of rows by inner.
template <class A, class B, class C>
std::string product_result(long rows, long inner, long columns, const A &a, const B &b,
                           const C &c) {
  const Numbers x = small_numbers(columns, 99);
  if (times_vector(rows, times_vector(inner, x, b), a) != times_vector(rows, x, c)) return {};
  double sum = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) sum += c(i, j) * static_cast<double>(1 + (i + 3 * j) % 7);
  return text("%ld x %ld x %ld: %.0f", rows, inner, columns, sum);
}

/// a * b = c, all of n by n, row-major.
struct SquareProduct {
  explicit SquareProduct(long size)
      : n(size),
        a(small_numbers(n * n, 1)),
        b(small_numbers(n * n, 1u << 30)),
        c(static_cast<std::size_t>(n * n)) {}
  std::string result() const {
    const auto at = [this](const Numbers &m) {
      return [this, &m](long i, long j) { return m[static_cast<std::size_t>(i * n + j)]; };
    };
    return product_result(n, n, n, at(a), at(b), at(c));
  }

  long n;
  Numbers a, b, c;
};

}  // namespace bench

#endif
