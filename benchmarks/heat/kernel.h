// heat: Jacobi iteration on a plate of 2,048 x 1,024 points, `size` steps; in each step the rows
// are halved down to 16 of them.
#ifndef BENCHMARKS_HEAT_KERNEL_H
#define BENCHMARKS_HEAT_KERNEL_H

#include <utility>
#include <vector>

#include "../support/program.h"

constexpr long kRows = 2048, kColumns = 1024, kFewRows = 16;

/// One step of the rows [low, high).
inline void update_rows(const double *__restrict from, double *__restrict to, long low, long high) {
  for (long i = low; i < high; ++i)
    for (long j = 1; j < kColumns - 1; ++j) {
      const double *const p = from + i * kColumns + j;
      to[i * kColumns + j] = p[0] + 0.2 * (p[-kColumns] + p[kColumns] + p[-1] + p[1] - 4 * p[0]);
    }
}

struct Plate {
  explicit Plate(long size)
      : steps(size), from(static_cast<std::size_t>(kRows * kColumns)), to(from) {
    for (long j = 0; j < kColumns; ++j)
      from[static_cast<std::size_t>(j)] = to[static_cast<std::size_t>(j)] =
          bench::uniform(static_cast<std::uint64_t>(j));
  }

  /// Heat flows in from the first row only: no point is hotter than it or colder than nothing, and
  /// those far away have not changed.
  std::string result() const {
    double sum = 0;
    for (const double value : from) {
      if (value < 0 || value > 1) return {};
      sum += value;
    }
    for (long i = steps + 1; i < kRows; ++i)
      for (long j = 0; j < kColumns; ++j)
        if (from[static_cast<std::size_t>(i * kColumns + j)] != 0) return {};
    return bench::text("heat, %ld steps: %.12g", steps, sum);
  }

  long steps;
  std::vector<double> from, to;
};

// What each variant defines.
static void update(const double *from, double *to, long low, long high);

static void solve(Plate &input) {
  for (long step = 0; step < input.steps; ++step) {
    update(input.from.data(), input.to.data(), 1, kRows - 1);
    std::swap(input.from, input.to);
  }
}

#endif
