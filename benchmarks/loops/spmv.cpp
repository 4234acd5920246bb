// spmv: a sparse matrix of `size` rows times a vector, ten times. Skewed: row i has about size / (i
// + 1) numbers and at least four, so that the first rows hold most of the work.
#include "model.h"

#include <vector>

struct Matrix {
  explicit Matrix(long size) : n(size), x(static_cast<std::size_t>(size)), y(x.size()) {
    begins.push_back(0);
    for (long i = 0; i < n; ++i) {
      const long count = 4 + n / (i + 1);
      for (long k = 0; k < count; ++k) {
        columns.push_back(static_cast<std::uint32_t>(bench::mixed(columns.size()) %
                                                     static_cast<std::uint64_t>(n)));
        values.push_back(1 + static_cast<double>(k % 3));
      }
      begins.push_back(static_cast<long>(columns.size()));
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 10);
  }
  std::string result() const {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double expected = 0;
      for (long k = begins[i]; k < begins[i + 1]; ++k)
        expected += values[static_cast<std::size_t>(k)] * x[columns[static_cast<std::size_t>(k)]];
      if (y[i] != expected) return {};
      sum += y[i];
    }
    return bench::text("spmv %ld rows, %zu numbers: %.0f", n, values.size(), sum);
  }

  long n;
  std::vector<long> begins;
  std::vector<std::uint32_t> columns;
  std::vector<double> values, x, y;
};

__attribute__((noinline)) static void multiply(long n, const long *begins,
                                               const std::uint32_t *columns, const double *values,
                                               const double *x, double *y) {
  LOOP(i, 0, n) {
    double sum = 0;
    for (long k = begins[i]; k < begins[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
  LOOP_END
}

static void solve(Matrix &input) {
  for (int repeat = 0; repeat < 10; ++repeat)
    multiply(input.n, input.begins.data(), input.columns.data(), input.values.data(),
             input.x.data(), input.y.data());
}

BENCHMARK(Matrix, solve)
