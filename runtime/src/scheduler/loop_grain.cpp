// The default grain of a cilk_for (nopal_abi.h). Called once a loop, before its first division.
// Test: tests/unit/loop_grain_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../abi/nopal_abi.h"
#include "../config/config.h"
#include "../platform/sanitizers.h"
#include "../process/runtime.h"

#include <algorithm>
#include <cstdint>

namespace {

// Eight leaves a worker balance a load that is uneven by a factor of a few; more than 2,048
// iterations a leaf gain nothing over the nanosecond of a spawn.
constexpr std::uint64_t kLeavesPerWorker = 8;
constexpr std::uint64_t kMaxGrain = 2048;

/// In chaos, and for a detector of races, iterations must run in parallel with each other. A call
/// costs what a small loop's whole body does, so loops ask once; before that, each loop asks.
bool ignores_least() noexcept {
  static const bool ignores = [] {
    const bool result = nopal::config().chaos.enabled || nopal::sanitizers::must_say_edges();
    // relaxed: it publishes nothing else, and a loop that still reads 0 asks here.
    if (!result) __atomic_store_n(&nopal_least_counts, std::uint8_t{1}, __ATOMIC_RELAXED);
    return result;
  }();
  return ignores;
}

}  // namespace

extern "C" {
uint8_t nopal_least_counts = 0;
}

extern "C" uint64_t nopal_loop_grain(uint64_t count, uint64_t least) {
  if (ignores_least()) least = 1;
  if (count <= least) return least;
  const std::uint64_t leaves = kLeavesPerWorker * nopal::worker_count();
  if (count >= kMaxGrain * leaves) return std::max(least, kMaxGrain);
  // Both fit into 32 bits, where a division costs a third.
  return std::max(
      {std::uint64_t{1}, least,
       std::uint64_t{static_cast<std::uint32_t>(count) / static_cast<std::uint32_t>(leaves)}});
}
