// mandelbrot: the set on size x size points, 200 iterations at most; a parallel loop over rows.
// Irregular: rows differ by a hundred times.
#include "model.h"

#include <vector>

struct Image {
  explicit Image(long size) : n(size), counts(static_cast<std::size_t>(n * n)) {}
  std::string result() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum = sum * 31 + counts[i];
    return bench::text("mandelbrot %ld: %016llx", n, static_cast<unsigned long long>(sum));
  }

  long n;
  std::vector<std::uint8_t> counts;
};

static std::uint8_t iterations(double x, double y) {
  double a = 0, b = 0;
  int count = 0;
  for (; count < 200 && a * a + b * b <= 4; ++count) {
    const double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return static_cast<std::uint8_t>(count);
}

__attribute__((noinline)) static void draw(long n, std::uint8_t *counts) {
  LOOP(i, 0, n) {
    for (long j = 0; j < n; ++j)
      counts[i * n + j] = iterations(-2 + 3 * static_cast<double>(j) / static_cast<double>(n),
                                     -1.5 + 3 * static_cast<double>(i) / static_cast<double>(n));
  }
  LOOP_END
}

static void solve(Image &input) { draw(input.n, input.counts.data()); }

BENCHMARK(Image, solve)
