// The search for a continuation: victims, backoff, polling, parking.
//
// Called by the worker's loop, and by who waits for a frame (patience.cpp). States and proof:
// sleep/README.md; victims: policy/. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_FIND_WORK_H
#define NOPAL_IDLE_FIND_WORK_H

#include "../worker/worker.h"

namespace nopal {

/// A continuation that its caller has stolen, or a frame that it is to resume.
struct Stolen {
  nopal_frame *frame = nullptr;  // null: none
  cactus::Depth depth{};         // where its callees begin
  bool is_exclusive = false;     // to be resumed (WorkerRegistry::take_ownerless_frame)
};

/// Searches until it finds a continuation, or a frame to resume, and returns it; with a
/// continuation the floating point control words of its victim are set in this thread. Returns none
/// when the runtime stops. The caller runs on `worker` and has an empty deque. Does not switch
/// stacks.
Stolen find_work(Worker &worker) noexcept;

/// One look at the workers whose path is the continuation of `frame`: takes the oldest continuation
/// of one of them, or none. With an empty deque, on a worker that works. Cost: a load for each
/// worker.
Stolen steal_below(Worker &worker, const nopal_frame *frame) noexcept;
/// Whether somebody's deque seems to hold something. Cost: three loads for each worker.
bool is_work_visible() noexcept;

}  // namespace nopal

#endif
