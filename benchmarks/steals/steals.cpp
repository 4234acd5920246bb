// steals: the time from the begin of the attempt that succeeds to the first instruction of the stolen continuation, COUNT times.
//
// A child waits until the continuation behind it runs elsewhere. Compiled by run.py together with the runtime's find_work.cpp, whose clock
// is probe.h's. Standard output: a line a theft, nanoseconds in all and within the thief's fence; continuations that nobody stole in
// time are counted on standard error.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <x86intrin.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "probe.h"

struct Theft {
  std::uint64_t whole, fence;  // ticks
};

static constexpr std::uint64_t kPatienceTicks = 50'000'000;  // some 20 ms: where there is no thief the child goes on

/// The child: until the continuation has begun.
__attribute__((noinline)) static void wait_until_stolen(std::atomic<bool> &is_stolen) {
  for (const std::uint64_t start = __rdtsc(); !is_stolen.load(std::memory_order_acquire) && __rdtsc() - start < kPatienceTicks;) _mm_pause();
}

/// One theft; whole is 0 if there was none.
__attribute__((noinline)) static Theft theft() {
  std::atomic<bool> is_stolen{false};
  Theft result{0, 0};
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

int main(int argc, char **argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s COUNT\n", argv[0]), 2;
  std::vector<Theft> thefts(static_cast<std::size_t>(std::atol(argv[1])));
  for (int warm = 0; warm < 100; ++warm) theft();
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t first = __rdtsc();
  for (Theft &one : thefts) one = theft();
  const double ticks = static_cast<double>(__rdtsc() - first);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  const double ns = took.count() / ticks;
  long missed = 0;
  for (const Theft &one : thefts) {
    if (one.whole == 0)
      ++missed;
    else
      std::printf("%.1f %.1f\n", static_cast<double>(one.whole) * ns, static_cast<double>(one.fence) * ns);
  }
  std::fprintf(stderr, "missed %ld\n", missed);
}
