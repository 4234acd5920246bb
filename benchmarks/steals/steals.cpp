// steals: the time from the beginning of the attempt that succeeds to the first instruction of the
// stolen continuation.
//
// A child waits until its continuation runs on the other worker. run.py compiles this file together
// with the runtime's find_work.cpp, whose clock is probe.h's. The counters: nanoseconds within the
// thief's fence, and continuations that nobody stole within 20 ms.
#include "probe.h"

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <x86intrin.h>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "../support/distribution.h"

namespace {

struct Steal {
  std::uint64_t whole, fence;  // ticks; whole is 0 if there was no steal
};

constexpr std::uint64_t kPatienceTicks = 50'000'000;  // some 20 ms: without a thief the child ends
constexpr int kMostMissed = 100;                      // in a row, before the benchmark fails

/// The child: until the continuation has begun.
[[gnu::noinline]] void wait_until_stolen(std::atomic<bool> &is_stolen) {
  const std::uint64_t start = __rdtsc();
  while (!is_stolen.load(std::memory_order_acquire) && __rdtsc() - start < kPatienceTicks)
    _mm_pause();
}

[[gnu::noinline]] Steal steal_once() {
  std::atomic<bool> is_stolen{false};
  Steal result{0, 0};
  const int victim = __cilkrts_get_worker_number();
  cilk_spawn wait_until_stolen(is_stolen);
  const std::uint64_t now = __rdtsc();
  if (__cilkrts_get_worker_number() != victim) {
    const Probe &attempt = steals_last_attempt();
    result = {now - attempt.began, attempt.fence_ticks};
  }
  is_stolen.store(true, std::memory_order_release);
  cilk_sync;
  return result;
}

/// Also warms up.
double nanoseconds_per_tick() {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t first = __rdtsc();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) steal_once();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(__rdtsc() - first);
}

void steal(benchmark::State &state) {
  static const double ns = nanoseconds_per_tick();
  int missed = 0;
  for ([[maybe_unused]] auto event : state) {
    Steal one = steal_once();
    while (one.whole == 0 && ++missed < kMostMissed) one = steal_once();
    if (one.whole == 0) {
      state.SkipWithError("nobody steals");
      break;
    }
    state.SetIterationTime(1e-9 * ns * static_cast<double>(one.whole));
    state.counters["fence_ns"] = ns * static_cast<double>(one.fence);
    state.counters["missed"] = missed;
  }
}
BENCHMARK(steal)->Apply(events);

}  // namespace

BENCHMARK_MAIN();
