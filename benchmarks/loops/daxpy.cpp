// daxpy: y += a x on `size` doubles, ten times. Uniform, bound by memory; the leaf should
// vectorize.
#include "model.h"

#include <vector>

struct Daxpy {
  explicit Daxpy(long size) : n(size), x(static_cast<std::size_t>(size)), y(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 1000), y[i] = 1;
  }
  std::string result() const {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] != 1 + 20 * x[i]) return {};
      sum += y[i];
    }
    return bench::text("daxpy %ld: %.0f", n, sum);
  }

  long n;
  std::vector<double> x, y;
};

__attribute__((noinline)) static void daxpy(long n, double a, const double *__restrict x,
                                            double *__restrict y) {
  LOOP(i, 0, n) { y[i] += a * x[i]; }
  LOOP_END
}

static void solve(Daxpy &input) {
  for (int repeat = 0; repeat < 10; ++repeat) daxpy(input.n, 2, input.x.data(), input.y.data());
}

BENCHMARK(Daxpy, solve)
