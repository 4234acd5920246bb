// A process that forks: what holds in the new process, which has one thread and no helpers.
//
// Specified in docs/user-guide-practice.md. Checked by tests/programs/system/processes.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_FORK_H
#define NOPAL_PROCESS_FORK_H

namespace nopal {

/// From now on fork() finds all that a mutex guards at rest, and the new process goes on serially
/// if the helpers ran: chaos is off there, and nobody waits for a helper. Once in a process, under
/// lifecycle(). Costs a fork eleven mutexes, and the rest of a measurement of the stacks if one is
/// going on; ends nothing if refused.
void watch_forks_locked() noexcept;

/// Whether this process was forked while helpers ran, so that it has none and starts none. Any
/// thread. Cost: a load.
bool is_forked() noexcept;
/// Ends such a process with a message. Who would wait for what other threads ran when it was
/// forked.
void refuse_if_forked() noexcept;

}  // namespace nopal

#endif
