// See finish.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish.h"

#include "../platform/fatal.h"
#include "../platform/sanitizers.h"
#include "runs.h"

#include <new>

namespace nopal::hyper {
namespace {

struct Run {
  std::int64_t first, last;
  bool is_cut;  // its last strand ended by an exception: what is to its right does not count
  Views views;
  Run *next = nullptr;
};

using FrameRuns = Runs<nopal_frame, HardwareAtoms, Run>;

/// `left` then has `right`, too, which ends. Calls user code.
Run *merge(CurrentViews &current, Run *left, Run *right) noexcept {
  sanitizers::acquire(left);
  sanitizers::acquire(right);
  if (left->is_cut) {
    current.discard(right->views);
  } else {
    left->views = current.merge(left->views, right->views);
    left->is_cut = right->is_cut;
  }
  left->last = right->last;
  delete right;
  sanitizers::release(left);
  return left;
}

}  // namespace

void finish(CurrentViews &current, nopal_frame *frame, std::int64_t number, bool cuts) noexcept {
  const Views views = current.leave();
  if (views.are_none() && !cuts && !views_exist()) return;
  auto *run = new (std::nothrow) Run{number, number, cuts, views};
  if (run == nullptr)
    fatal(
        "cannot allocate the record of a finished strand: Cannot allocate memory; use fewer "
        "workers");
  sanitizers::release(run);
  FrameRuns::put(frame, run, [&current](Run *left, Run *right) noexcept {
    return merge(current, left, right);
  });
}

void resume(CurrentViews &current, nopal_frame *frame, Views first, bool cuts) noexcept {
  if (Run *list = FrameRuns::take_all(frame)) {
    Run all{0, 0, cuts, first};
    sanitizers::release(&all);
    while (list != nullptr) {
      Run *const next = list->next;
      merge(current, &all, list);
      list = next;
    }
    first = all.views;
  }
  current.enter(first);
}

}  // namespace nopal::hyper
