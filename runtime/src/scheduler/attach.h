// Threads of the program become attached: at their first spawn, until they exit.
//
// Called by the slow push and by suspend. Rules: attach.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SCHEDULER_ATTACH_H
#define NOPAL_SCHEDULER_ATTACH_H

#include "../../abi/nopal_abi.h"
#include "../worker/thread.h"

namespace nopal {

/// Starts the runtime if it does not run, and gives the calling thread, which is outside, a slot: `self.worker`. The first time in the process it
/// then runs the callbacks of __cilkrts_atinit. Ends the process if the system cannot tell us of the thread's exit.
/// Cost: two mutexes; the first time in the process, the start.
void attach(Thread &self) noexcept;

/// The caller's child is done and its parent's continuation was stolen: joins, and waits on this stack, in this thread, until the frame is
/// exclusive. The slot goes to a helper meanwhile; on return the caller holds one, maybe another. For attached threads, and for helpers
/// for which there is no segment to go on with. `resumed_first`, if not null, is an exclusive descendant of `frame`, which the helper resumes before it
/// looks for work. Cost: two hand-overs (some microseconds to tens, or the time that two idle processors take to wake).
void wait_in_place(nopal_frame *frame, nopal_frame *resumed_first) noexcept;

/// Threads attached now. Any thread.
std::size_t attached_threads() noexcept;

}  // namespace nopal

#endif
