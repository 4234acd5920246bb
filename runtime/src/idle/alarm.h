// The alarm by which an owner's push learns that the poller sleeps for long and wants to be called.
//
// A spawn does not look at it. The poller sets it and then makes the next push of every deque slow;
// a slow push looks. Why no push but one is overlooked: README.md, "No push is overlooked". Used by
// Sleep. Tests: tests/unit/sleep_test.cpp, tests/model/alarm_model.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [set] the poller's store, fence, stores of limits, fence, loads of bottoms || an owner's stores
//       of limit and bottom, fence, load: the owner sees the alarm, or the poller sees the push. If
//       an owner raises its limit after the poller lowered it, that owner sees the alarm.
//   [taken] compare-exchange by owners and the poller: exactly one of those that reset the alarm
//       learns that it did, and whether the poller sleeps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../platform/atoms.h"

namespace nopal {

template <class Atoms>
class Alarm {
 public:
  constexpr Alarm() noexcept = default;

  // The poller, before it makes pushes slow and looks at deques. Cost: a fence.
  void set() noexcept {
    word_.store_relaxed(kAwake);  // [set]
    Atoms::full_fence();          // [set]
  }
  // The poller, after it has made all pushes slow and before it looks at deques. Cost: a fence.
  static void pushes_are_slow() noexcept {
    Atoms::full_fence();  // [set]
  }
  // The poller, when it has seen nothing: whether it may sleep. If not, the alarm is taken.
  bool fall_asleep() noexcept {
    int64_t expected = kAwake;
    return word_.compare_exchange_seq_cst(expected, kAsleep);  // [taken]
  }
  // The poller, awake again. Returns whether an owner has called already.
  bool reset() noexcept { return take(word_.load_relaxed()) == kNotSet; }  // [taken]

  enum Taken : int64_t { kNotSet = 0, kAwake = 1, kAsleep = 2 };
  // The owner, after a slow push: takes the alarm if it is set. It must wake the poller if that was
  // asleep. Cost: a fence and a load.
  Taken push() noexcept {
    Atoms::push_fence();                // [set]
    return take(word_.load_relaxed());  // [set]
  }
  bool is_asleep() const noexcept { return word_.load_relaxed() == kAsleep; }  // [set]: a hint

 private:
  Taken take(int64_t found) noexcept {
    // [taken]; once more if the poller has fallen asleep meanwhile
    while (found != kNotSet && !word_.compare_exchange_seq_cst(found, kNotSet)) {
    }
    return static_cast<Taken>(found);
  }

  typename Atoms::Int64 word_{0};
};

}  // namespace nopal
