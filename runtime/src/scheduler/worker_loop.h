// What a helper thread does on a segment: find a continuation, run it, find the next; leave when a
// stack is to be resumed.
//
// Called by helper threads and by suspend. How it finds: idle/README.md. Invariants: README.md.
// Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SCHEDULER_WORKER_LOOP_H
#define NOPAL_SCHEDULER_WORKER_LOOP_H

#include "../idle/find_work.h"
#include "../stack/switch.h"

namespace nopal {

/// The main function of every segment. If `departure.frame` is set, a child of that frame has just
/// left its stack, and joins first.
[[noreturn]] void worker_loop(Departure departure) noexcept;

/// The same on the calling helper's native stack, when the system has no segment; it asks for one
/// again after each steal. `native` is the record at `Thread::native`. Returns when the thread is
/// back there for good: what is to be done with its worker.
Departure worker_loop_without_segment(SuspendedStack &native) noexcept;

/// Runs a stolen continuation above the caller on the calling thread's own stack. The thread's
/// worker has an empty deque. Returns the frame that a helper, or its own thread, must resume, or
/// null. The thread stays the same; its worker may be another one afterwards. Restores the worker's
/// path and the exceptions being handled, not the floating point environment.
nopal_frame *run_in_place(Stolen stolen) noexcept;

/// The frame is exclusive, and its stack is suspended: resumes it from the calling helper's native
/// stack, `native`. Returns as leave_for_suspended.
Departure resume_from_native(SuspendedStack &native, nopal_frame *frame) noexcept;

}  // namespace nopal

#endif
