// What idle workers do otherwise where there are many of them: whether a search is counted, how
// many sleepers one that has found work wakes, and which side of a steal fences.
//
// Compiled twice, like the policies: by the runtime (idle/, worker/registry.cpp) and by tools/sim.
// Protocol and reasons: idle/README.md, "With many workers". Checked by tests/unit/sleep_test.cpp,
// tests/model/sleep_model.cpp and tests/sim/idle_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace nopal::policy {

/// Up to so many workers a heavy fence interrupts few processors, and nobody waits for the line of
/// the counts. With more, what follows in this file begins.
inline constexpr std::uint32_t kFewWorkers = 8;
constexpr bool are_many(std::uint32_t workers) noexcept { return workers > kFewWorkers; }

/// Whether a worker whose path is over searches uncounted.
constexpr bool searches_uncounted(std::uint32_t workers) noexcept { return are_many(workers); }

/// Whether a deque begins with pops that fence, and how many times as many pops fence after a
/// steal: a worker is stolen from so much less often, and a heavy fence costs so much more.
constexpr bool begins_fenced(std::uint32_t workers) noexcept { return are_many(workers); }
constexpr std::uint32_t fence_scale(std::uint32_t workers) noexcept {
  return are_many(workers) ? workers / kFewWorkers : 1;
}

/// What a worker tells that has just found work.
struct FoundWork {
  std::uint32_t workers = 1;  // that there are
  bool was_woken = false;     // it, since it last worked
  bool leaves_more = false;   // there is more where it found this
};
inline constexpr std::uint32_t kMostWakeUps = 2;
/// How many sleepers it wakes. `is_watched`: somebody else searches, counted, or polls.
constexpr std::uint32_t wake_ups(FoundWork found, bool is_watched) noexcept {
  if (are_many(found.workers) && found.was_woken && found.leaves_more) return kMostWakeUps;
  return is_watched ? 0 : 1;
}

}  // namespace nopal::policy
