// hot: a parallel loop of 100 trivial iterations, `size` times: the cost of a loop that is too
// small to be divided.
#include "model.h"

static constexpr long kTrivial = 100;

struct Sums {
  explicit Sums(long size) : n(size) {}
  std::string result() const {
    for (long i = 0; i < kTrivial; ++i)
      if (sum[i] != n * i + n * (n - 1) / 2) return {};
    return bench::text("hot %ld: %ld", n, sum[kTrivial - 1]);
  }

  long n;
  long sum[kTrivial] = {};
};

__attribute__((noinline)) static void add(long *sum, long term) {
  LOOP(i, 0, kTrivial) { sum[i] += i + term; }
  LOOP_END
}

static void solve(Sums &input) {
  for (long k = 0; k < input.n; ++k) add(input.sum, k);
}

BENCHMARK(Sums, solve)
