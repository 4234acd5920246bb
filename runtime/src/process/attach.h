// Threads of the program attach at their first spawn, and stay attached until they exit.
//
// Called by the slow push; suspend uses its parts. Rules: README.md. Checked by
// tests/stress/attach_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_ATTACH_H
#define NOPAL_PROCESS_ATTACH_H

#include "../../abi/nopal_abi.h"
#include "../worker/thread.h"

namespace nopal {

/// Starts the runtime if it does not run, and gives the calling thread, which is outside, a worker:
/// `self.worker`. The first time in the process it then runs the callbacks of __cilkrts_atinit.
/// Ends the process if the system cannot report the thread's exit. Cost: two mutexes; the first
/// time in the process, the start.
void attach(Thread &self) noexcept;

/// The calling thread takes `worker`, whose deque is empty, to continue a path on its own stack.
void take(Thread &self, Worker &worker) noexcept;
/// From now on the calling thread's own stack is counted, and its unused pages can be decommitted.
/// Without memory for the record, neither.
void adopt_root(Thread &self) noexcept;

/// Threads attached now. Any thread.
std::size_t attached_threads() noexcept;

}  // namespace nopal

#endif
