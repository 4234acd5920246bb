// What the spawns themselves cost, from the sampled times between them. Used by verdict.cpp and
// estimate.cpp. Checked by tests/unit/verdict_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_SPAWN_COST_H
#define NOPAL_STATS_SPAWN_COST_H

#include "snapshot.h"

#include <algorithm>
#include <cstdint>

namespace nopal::stats {

// A spawn and what the compiler cannot do across it cost some nanoseconds.
inline constexpr std::uint64_t kSpawnNs = 4;
// Fewer samples say nothing.
inline constexpr std::uint64_t kLeastSamples = 32;

/// Of the time of all strands, the part that is spawns: at most about one half. 0: not known.
inline double share_of_spawns(const Summary &summary) {
  if (summary.spawn_samples < kLeastSamples) return 0;
  const std::uint64_t interval_ns = std::max(summary.spawn_interval_ns, 2 * kSpawnNs);
  return static_cast<double>(kSpawnNs) / static_cast<double>(interval_ns);
}

}  // namespace nopal::stats

#endif
