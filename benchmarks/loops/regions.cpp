// regions: a parallel region of `size` microseconds of work (1, 10, 100, 1,000), entered again and
// again from a thread that is not a worker: 100,000 times for 1 and 10, less for the longer ones so
// that the work is a second at most; size 0: 1 microsecond, 100 times.
//
// The work of a region is 16 equal parts of a loop; a microsecond of it was measured on a 2.5 GHz
// machine, so compare with the serial run.
#include "model.h"

#include <thread>

static constexpr long kParts = 16;
static constexpr long kStepsPerMicrosecond =
    700;  // dependent multiplications and additions, four cycles each

struct Regions {
  explicit Regions(long size)
      : count(size == 0    ? 100
              : size <= 10 ? 100'000
                           : 1'000'000 / size),
        steps((size == 0 ? 1 : size) * kStepsPerMicrosecond / kParts) {}
  std::string result() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t part : parts) sum ^= part;
    return bench::text("%ld regions of %ld steps: %016llx", count, steps * kParts,
                       static_cast<unsigned long long>(sum));
  }

  long count, steps;
  std::uint64_t parts[kParts] = {};
};

__attribute__((noinline)) static void region(std::uint64_t *parts, long steps) {
  LOOP(i, 0, kParts) {
    std::uint64_t x = parts[i] + static_cast<std::uint64_t>(i);
    for (long k = 0; k < steps; ++k) x = bench::chained(x);
    parts[i] = x;
  }
  LOOP_END
}

static void solve(Regions &input) {
  std::thread([&input] {
    for (long k = 0; k < input.count; ++k) region(input.parts, input.steps);
  }).join();
}

BENCHMARK(Regions, solve)
