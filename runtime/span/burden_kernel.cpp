// The steals that measure the burden. Compiled by the plugin, as a user's program is: the only file
// of the library that spawns. See burden.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "burden.h"

#include <cilk/cilk.h>

#include <time.h>
#include <algorithm>
#include <atomic>

namespace nopal::span {

namespace {

constexpr int kRounds = 200, kWarmUp = 20, kLeast = 20;
// After so long the child gives up: no worker has time.
constexpr double kPatienceNs = 2e6;
constexpr double kMostNs = 3e8;  // of all rounds
// What the thief finds: longer than a steal.
constexpr double kStolenNs = 3000;

double now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

struct Round {
  std::atomic<bool> goes_on{false};
  double child_end = 0;
  bool is_stolen = false;
};

__attribute__((noinline)) void wait(Round &round) {
  const double start = now_ns();
  // acquire, release: the times that the continuation has taken are read after the sync anyway.
  while (!round.goes_on.load(std::memory_order_acquire) && now_ns() < start + kPatienceNs) {
  }
  round.is_stolen = round.goes_on.load(std::memory_order_acquire);
  round.child_end = now_ns();
}

/// The cost of the steal, or a negative number if there was none.
__attribute__((noinline)) double one_round() {
  Round round;
  const double start = now_ns();
  cilk_spawn wait(round);
  const double stolen = now_ns();
  while (now_ns() < stolen + kStolenNs) {
  }
  const double continuation_end = now_ns();
  round.goes_on.store(true, std::memory_order_release);
  cilk_sync;
  const double end = now_ns();
  if (!round.is_stolen) return -1;
  return stolen - start + (end - std::max(continuation_end, round.child_end));
}

}  // namespace

double measured_steal_ns() {
  double costs[kRounds];
  int count = 0;
  const double start = now_ns();
  for (int i = 0; i < kWarmUp + kRounds && now_ns() < start + kMostNs; ++i) {
    const double cost = one_round();
    if (i >= kWarmUp && cost >= 0) costs[count++] = cost;
  }
  if (count < kLeast) return -1;
  std::sort(costs, costs + count);
  return costs[count / 2];
}

}  // namespace nopal::span
