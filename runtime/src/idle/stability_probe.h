// Probes by looking alone what others' deques hold: nothing, something transient, or something
// stable.
//
// For a poller whose last call was for nothing. A call, and an attempt with a heavy fence,
// interrupt the owner for ten microseconds; a look costs it a cache miss. In a loop of tiny
// children the continuation is there at some looks and gone at others, and never worth either. Used
// by idle/find_work.cpp. Why: docs/decisions/0019. Test: tests/unit/stability_probe_test.cpp, in
// virtual time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_STABILITY_PROBE_H
#define NOPAL_IDLE_STABILITY_PROBE_H

#include <cstdint>

namespace nopal {

enum class Stability : std::uint8_t {
  kNothing,    // no look has seen anything
  kTransient,  // each deque that had something lost it and got it back, and again
  kStable,     // a deque had something, and changed less
};

/// At each deque, if time does not end the probe.
constexpr int kLooksPerProbe = 64;
/// So many changes at one deque in a probe make it transient.
constexpr int kManyChanges = 4;

// A Timer has
//   void begin()    the looks at all deques, or those at one, begin
//   bool pause()    comes between two looks: about a tenth of a microsecond, and not always the
//   same, since an owner that waits for a line that we have just
//                   read tends to fall into step with us. False when these looks have taken long
//                   enough.
//   bool is_over()  whether the probe as a whole has

/// Whether what is there now goes and comes so often in the next looks.
template <class IsThere, class Timer>
bool changes_often(IsThere is_there, Timer &timer) noexcept {
  timer.begin();
  bool was_there = true;
  int changes = 0;
  for (int look = 1; look < kLooksPerProbe && timer.pause(); ++look) {
    if (is_there() == was_there) continue;
    was_there = !was_there;
    if (++changes == kManyChanges) return true;
  }
  return false;
}

/// `is_stealable(index)`: whether the deque of that worker seems to have something. Cost: 64 looks
/// at each worker if all are empty, at most 63 more at each that has something. When time is over:
/// the looks at the current deque, or one at each worker that is left.
template <class IsStealable, class Timer>
Stability probe_stability(std::uint32_t workers, IsStealable is_stealable, Timer &timer) noexcept {
  timer.begin();
  for (int look = 0; look < kLooksPerProbe; ++look) {
    if (look > 0 && !timer.pause()) break;
    bool is_transient = false;
    for (std::uint32_t index = 0; index < workers; ++index) {
      if (!is_stealable(index)) continue;
      if (is_transient && timer.is_over()) break;
      if (!changes_often([&] { return is_stealable(index); }, timer)) return Stability::kStable;
      is_transient = true;
    }
    if (is_transient) return Stability::kTransient;
  }
  return Stability::kNothing;
}

}  // namespace nopal

#endif
