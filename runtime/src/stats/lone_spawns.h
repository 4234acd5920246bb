// What a worker does that is alone: does it spawn all the time, or is that serial code?
//
// If it spawns, others could have taken the work, and had no processor or found it too small; the
// remedy for serial code would be wrong (verdict.cpp). The sampler asks a lone worker for a sample
// of its next spawn, and looks the next time whether that spawn had come at once, by the processor
// clock of the worker's thread. Written by the sampler's thread, read by any. Checked by
// tests/unit/verdict_test.cpp and tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_LONE_SPAWNS_H
#define NOPAL_STATS_LONE_SPAWNS_H

#include "counter.h"

#include <cstdint>

namespace nopal::stats {

/// What has been found. Any thread.
struct LoneSpawns {
  Counter looks;     // at a worker that was alone
  Counter spawning;  // of these: it spawned
};

/// A spawn that comes later than that has serial code before it.
inline constexpr std::uint64_t kSoonNs = 50'000;

/// Whether a sample that was asked for at `asked_ns` began soon; both by the thread's clock.
constexpr bool came_soon(std::uint64_t asked_ns, std::uint64_t began_ns) noexcept {
  return began_ns >= asked_ns && began_ns - asked_ns < kSoonNs;
}

/// The process's.
inline constinit LoneSpawns the_lone_spawns;
inline LoneSpawns &lone_spawns() noexcept { return the_lone_spawns; }

}  // namespace nopal::stats

#endif
