// idle: a parallel loop starts the workers; then `size` milliseconds of serial work follow, while
// the workers have nothing to do. The figure is the processor time of the process against the
// serial program's.
#include "model.h"

static constexpr long kLoop = 1000;
static constexpr long kStepsPerMillisecond = 700'000;

struct Idle {
  explicit Idle(long size) : steps(size * kStepsPerMillisecond) {}
  std::string result() const {
    std::uint64_t sum = value;
    for (const std::uint64_t part : parts) sum ^= part;
    return bench::text("%ld steps: %016llx", steps, static_cast<unsigned long long>(sum));
  }

  long steps;
  std::uint64_t value = 1;
  std::uint64_t parts[kLoop] = {};
};

__attribute__((noinline)) static void start_workers(std::uint64_t *parts) {
  LOOP(i, 0, kLoop) { parts[i] = bench::mixed(static_cast<std::uint64_t>(i)); }
  LOOP_END
}

static void solve(Idle &input) {
  start_workers(input.parts);
  std::uint64_t x = input.value;
  for (long k = 0; k < input.steps; ++k) x = bench::chained(x);
  input.value = x;
}

BENCHMARK(Idle, solve)
