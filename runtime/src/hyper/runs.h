// Finished strands of a frame: each ends here before it joins, and adjacent ones are merged at
// once.
//
// Called by hyper/finish.cpp. The list's head is nopal_frame::views, which the first thief sets to
// null. Protocol and bound: README.md, "Runs". Tests: tests/model/runs_model.cpp (all schedules),
// tests/stress/hyper_test.cpp.
//
// Edges: all under Join::lock ([lock] in frame/join.h).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_HYPER_RUNS_H
#define NOPAL_HYPER_RUNS_H

#include "../frame/join.h"

#include <cstdint>

namespace nopal::hyper {

// Run has first, last (numbers of strands) and next (of the list, in their order).
template <class Frame, class Atoms, class Run>
struct Runs {
  using FrameJoin = Join<Frame, Atoms>;

  // A strand that has ended, before it joins. `merge(left, right)` reduces the right run's views
  // into the left one's, frees the right run and returns the left, whose `last` is then the
  // right's; it is called without the lock.
  template <class Merge>
  static void put(Frame *frame, Run *run, Merge merge) {
    for (;;) {
      const Neighbours found = link_or_take(frame, run);
      if (found.before == nullptr && found.after == nullptr) return;
      // After the last return of link_or_take another strand may have taken `run`.
      if (found.before != nullptr) run = merge(found.before, run);
      if (found.after != nullptr) run = merge(run, found.after);
    }
  }

  // The exclusive owner: takes the whole list, in serial order. Without gaps it is one run.
  static Run *take_all(Frame *frame) noexcept {
    Run *const list = head(frame);
    frame->views = nullptr;
    return list;
  }

 private:
  struct Neighbours {
    Run *before = nullptr;
    Run *after = nullptr;
  };

  static Run *head(Frame *frame) noexcept {
    return static_cast<Run *>(static_cast<void *>(frame->views));
  }

  // Links `run` if it has no neighbours, else takes them out.
  static Neighbours link_or_take(Frame *frame, Run *run) noexcept {
    FrameJoin::lock(frame);
    Neighbours found;
    Run *before = nullptr, *earlier = nullptr;  // the last run before ours, and the one before that
    Run *after = head(frame);
    while (after != nullptr && after->first < run->first) {
      earlier = before;
      before = after;
      after = after->next;
    }
    Run *left = before;  // what stays before ours
    Run *right = after;  // what stays after it
    if (before != nullptr && before->last + 1 == run->first) {
      found.before = before;
      left = earlier;
    }
    if (after != nullptr && run->last + 1 == after->first) {
      found.after = after;
      right = after->next;
    }
    const bool links = found.before == nullptr && found.after == nullptr;
    if (links) {
      run->next = right;
      right = run;
    }
    if (left != nullptr)
      left->next = right;
    else
      frame->views = right;
    FrameJoin::unlock(frame);
    return found;
  }
};

}  // namespace nopal::hyper

#endif
