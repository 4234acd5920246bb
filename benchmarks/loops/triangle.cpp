// triangle: distances of all pairs of `size` points, the lower triangle by rows: nested loops whose
// inner one grows with the outer one's index. Both are parallel with Cilk and oneTBB, the outer one
// with OpenMP.
#include "model.h"

#include <cmath>
#include <vector>

struct Pairs {
  explicit Pairs(long size)
      : n(size),
        x(static_cast<std::size_t>(size)),
        y(x.size()),
        distances(static_cast<std::size_t>(n * (n + 1) / 2)) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = bench::uniform(2 * i), y[i] = bench::uniform(2 * i + 1);
  }
  std::string result() const {
    double sum = 0;
    for (std::size_t k = 0; k < distances.size(); ++k)
      sum += distances[k] * static_cast<double>(k % 7);
    for (std::size_t i = 0, k = 0; i < x.size(); k += ++i)
      if (distances[k + i] != 0) return {};
    return bench::text("triangle %ld: %.12g", n, sum);
  }

  long n;
  std::vector<double> x, y, distances;
};

__attribute__((noinline)) static void measure(long n, const double *__restrict x,
                                              const double *__restrict y,
                                              double *__restrict distances) {
  LOOP(i, 0, n) {
    double *const row = distances + i * (i + 1) / 2;
    INNER_LOOP(j, 0, i + 1) {
      const double dx = x[i] - x[j], dy = y[i] - y[j];
      row[j] = std::sqrt(dx * dx + dy * dy);
    }
    LOOP_END
  }
  LOOP_END
}

static void solve(Pairs &input) {
  for (int repeat = 0; repeat < 4; ++repeat)
    measure(input.n, input.x.data(), input.y.data(), input.distances.data());
}

BENCHMARK(Pairs, solve)
