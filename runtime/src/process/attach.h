// Threads of the program become attached: at their first spawn, until they exit.
//
// Called by the slow push; suspend uses its parts. Rules: attach.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_ATTACH_H
#define NOPAL_PROCESS_ATTACH_H

#include "../../abi/nopal_abi.h"
#include "../worker/thread.h"

namespace nopal {

/// Starts the runtime if it does not run, and gives the calling thread, which is outside, a worker:
/// `self.worker`. The first time in the process it then runs the callbacks of __cilkrts_atinit.
/// Ends the process if the system cannot tell us of the thread's exit. Cost: two mutexes; the first
/// time in the process, the start.
void attach(Thread &self) noexcept;

/// The calling thread takes `worker`, whose deque is empty, to go on with a path that it has on its
/// own stack.
void take(Thread &self, Worker &worker) noexcept;
/// The calling thread's own stack is counted, and can give pages back, from now on. Without memory
/// for the record it does neither.
void adopt_root(Thread &self) noexcept;

/// Threads attached now. Any thread.
std::size_t attached_threads() noexcept;

}  // namespace nopal

#endif
