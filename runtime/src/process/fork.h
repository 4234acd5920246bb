// What holds in a process after fork(): it has one thread and no helpers.
//
// fork() copies what a mutex guards in a state without changes in progress, and the new process
// goes on serially if the helpers ran: chaos is off there, and no thread waits for a helper. A
// helper's process has the signals of the program. Cost of a fork: eleven mutexes, and the rest of
// a measurement of the stacks if one is in progress; before the first spawn a mutex.
//
// Specified in docs/user-guide-practice.md. Checked by tests/programs/system/processes.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_FORK_H
#define NOPAL_PROCESS_FORK_H

namespace nopal {

/// Whether this process was forked while helpers ran, so that it has none and starts none. Any
/// thread. Cost: a load.
bool is_forked() noexcept;
/// Ends such a process with a message: the caller would wait for what other threads ran at the
/// fork.
void refuse_if_forked() noexcept;

}  // namespace nopal

#endif
