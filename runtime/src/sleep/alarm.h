// The poller's alarm: how an owner's push learns that the poller sleeps for long and wants to be called.
//
// A spawn does not look at it. The poller sets it and then makes the next push of every deque slow; a slow push looks. Why no push is
// overlooked, but one that is named there: README.md, "No push is overlooked". Used by Sleep; tests: tests/unit/sleep_test.cpp,
// tests/model/alarm_model.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [set]    poller's store, fence, stores of limits, fence, loads of bottoms || owner's stores of limit and bottom, fence, load: the owner sees
//            the alarm, or the poller sees the push; and a limit that the owner raised behind the poller's back is raised by one who sees it.
//   [taken]  compare-exchange by owners and the poller: of those who reset the alarm one is told so.
#pragma once

#include <cstdint>

#include "../deque/atoms.h"

namespace nopal {

template <class Atoms>
class Alarm {
 public:
  constexpr Alarm() noexcept = default;

  // The poller, before it makes pushes slow and looks at deques. Cost: a fence.
  void set() noexcept {
    word_.store_relaxed(kSet);  // [set]
    Atoms::full_fence();        // [set]
  }
  // The poller, when it has made all pushes slow and before it looks at deques. Cost: a fence.
  static void pushes_are_slow() noexcept {
    Atoms::full_fence();  // [set]
  }
  // The poller, awake again: nobody is to call it. Returns whether somebody already has.
  bool reset() noexcept { return !take(); }
  // The owner, behind a slow push: whether it must wake the poller. One caller only is told so each time the alarm is set.
  // Cost: a fence and a load.
  bool must_call() noexcept {
    Atoms::push_fence();                           // [set]
    return word_.load_relaxed() == kSet && take();  // [set]
  }
  bool is_set() const noexcept { return word_.load_relaxed() == kSet; }  // [set]: a hint

 private:
  static constexpr int64_t kSet = 1;

  bool take() noexcept {
    int64_t expected = kSet;
    return word_.compare_exchange_seq_cst(expected, 0);  // [taken]
  }

  typename Atoms::Int64 word_{0};
};

}  // namespace nopal
