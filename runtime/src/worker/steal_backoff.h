// Back-off of steals: how long a worker rests whose steals brought too little.
//
// A steal costs the thief half a microsecond and the victim about as much, which leaves its fast
// path, waits and joins. If all work is shorter than that, as in parallel regions of a microsecond,
// a thief that is awake makes the program slower, and each steal keeps it awake. So after some
// short steals in quick succession the thief pauses, and each further short steal makes the pause
// longer. Pure bookkeeping: idle/find_work.cpp makes the pauses. Why: docs/decisions/0017. Test:
// tests/unit/steal_backoff_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_STEAL_BACKOFF_H
#define NOPAL_WORKER_STEAL_BACKOFF_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace nopal {

/// Owner of the worker only.
class StealBackoff {
 public:
  /// A shorter path is not worth a steal: that costs both sides about as much.
  static constexpr std::uint64_t kShortNs = 1'000;
  /// Steals that come less often cost little, however short their paths.
  static constexpr std::uint64_t kSeldomNs = 200'000;
  static constexpr int kMostInARow = 16;
  /// The first pause is ten times what kMostInARow steals take. The longest is also how long an
  /// idle worker may overlook new work.
  static constexpr std::chrono::nanoseconds kFirstPause{100'000};
  static constexpr std::chrono::nanoseconds kLongestPause{2'000'000};

  /// The worker runs what it has stolen.
  void path_begins(std::uint64_t now_ns) noexcept {
    if (now_ns - idle_since_ns_ > kSeldomNs) forget();
    begun_ns_ = now_ns;
  }
  /// The worker has nothing to do. Only a path that a steal began counts.
  void path_ends(std::uint64_t now_ns) noexcept {
    idle_since_ns_ = now_ns;
    if (begun_ns_ == 0) return;
    const bool is_short = now_ns - begun_ns_ < kShortNs;
    begun_ns_ = 0;
    if (!is_short) {
      forget();
    } else if (++short_in_a_row_ > kMostInARow) {
      short_in_a_row_ = kMostInARow;
      pause_ = std::min(2 * pause_, kLongestPause);
    }
  }
  /// How long to rest before the next steal; 0: not at all.
  std::chrono::nanoseconds pause() const noexcept {
    return short_in_a_row_ < kMostInARow ? std::chrono::nanoseconds{0} : pause_;
  }

  /// The pause is over, and the worker looks for work.
  void rest_ends(std::uint64_t now_ns) noexcept { idle_since_ns_ = now_ns; }

 private:
  void forget() noexcept {
    short_in_a_row_ = 0;
    pause_ = kFirstPause;
  }

  std::uint64_t begun_ns_ = 0, idle_since_ns_ = 0;
  int short_in_a_row_ = 0;
  std::chrono::nanoseconds pause_ = kFirstPause;
};

}  // namespace nopal

#endif
