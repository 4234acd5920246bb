// stencil: five points on a plate of 2,048 x 2,048, a parallel loop over rows in each of `size`
// steps. Uniform.
#include "model.h"

#include <utility>
#include <vector>

static constexpr long kSide = 2048;

struct Plate {
  explicit Plate(long size) : steps(size), from(static_cast<std::size_t>(kSide * kSide)), to(from) {
    for (long j = 0; j < kSide; ++j)
      from[static_cast<std::size_t>(j)] = to[static_cast<std::size_t>(j)] =
          bench::uniform(static_cast<std::uint64_t>(j));
  }
  std::string result() const {
    double sum = 0;
    for (const double value : from) {
      if (value < 0 || value > 1) return {};
      sum += value;
    }
    return bench::text("stencil, %ld steps: %.12g", steps, sum);
  }

  long steps;
  std::vector<double> from, to;
};

__attribute__((noinline)) static void step(const double *__restrict from, double *__restrict to) {
  LOOP(i, 1, kSide - 1) {
    for (long j = 1; j < kSide - 1; ++j) {
      const double *const p = from + i * kSide + j;
      to[i * kSide + j] = p[0] + 0.2 * (p[-kSide] + p[kSide] + p[-1] + p[1] - 4 * p[0]);
    }
  }
  LOOP_END
}

static void solve(Plate &input) {
  for (long k = 0; k < input.steps; ++k) {
    step(input.from.data(), input.to.data());
    std::swap(input.from, input.to);
  }
}

BENCHMARK(Plate, solve)
