// The search for a continuation: victims, backoff, polling, parking.
//
// Called by the worker loop, and by a thread that waits for a frame (scheduler/suspend.cpp). States
// and proof: README.md. Victims: worker/. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_FIND_WORK_H
#define NOPAL_IDLE_FIND_WORK_H

#include "../worker/worker.h"

namespace nopal {

/// A continuation that its caller has stolen, or a frame that it must resume.
struct Stolen {
  nopal_frame *frame = nullptr;  // null: none
  cactus::Depth depth{};         // where its callees begin
  policy::Mark mark{};           // of the path that it was taken from
  bool is_exclusive = false;     // to be resumed (WorkerRegistry::take_ownerless_frame)
};

/// Returns a continuation, or a frame to resume: what is left of a batch in the worker's own deque;
/// else it searches until it finds one. With another's continuation it sets the victim's floating
/// point control words in this thread; there may be more in the worker's batch. Returns none when
/// the runtime stops. The caller runs on `worker`, and its path is over. Does not switch stacks.
Stolen find_work(Worker &worker) noexcept;

/// Looks once at the workers whose path is the continuation of `frame`, and takes the oldest
/// continuation of one of them, or none. The caller's worker works, has an empty deque, and goes on
/// with the path that it has now. Cost: a load for each worker.
Stolen steal_below(Worker &worker, const nopal_frame *frame) noexcept;
/// Whether some deque seems to hold something. Cost: three loads for each worker.
bool is_work_visible() noexcept;

}  // namespace nopal

#endif
