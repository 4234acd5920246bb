// Stack overflow: a message instead of a bare SIGSEGV when a worker runs into the guard zone of its
// segment, or an attached thread over the end of its stack.
//
// Called in each helper thread before it runs on segments, and in each thread that attaches. Rules:
// README.md. Checked by tests/unit/overflow_test.cpp and tests/faults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_OVERFLOW_H
#define NOPAL_STACK_OVERFLOW_H

#include <cactus/own_stack.h>

namespace nopal {

/// Gives the calling thread an alternate signal stack if it has none (forget_thread() removes it),
/// and, at the first call in the process, installs the SIGSEGV handler. An overflow prints a
/// message with worker, size and remedy, and the process dies by SIGSEGV with the faulting
/// instruction in the core file; every other SIGSEGV goes to the earlier handler. A handler that
/// the program installs later replaces ours. `worker_index` tells the calling thread's worker
/// (negative: none) and must be async-signal-safe; the first call's counts. Errors: if the system
/// refuses, prints a warning, and overflows stay plain SIGSEGVs. Repeated calls are cheap.
void install_overflow_handler(int (*worker_index)() noexcept = nullptr) noexcept;

/// From now on an overflow of the calling thread's own stack gives a message, too (remedy: ulimit
/// -s, or a larger stack for the thread), unless the program had a SIGSEGV handler with SA_ONSTACK
/// before. After install_overflow_handler. Returns where the stack lies. Cost: as
/// cactus::own_stack(). Errors: none; the overflow stays plain.
cactus::OwnStack watch_own_stack() noexcept;

/// Takes from the calling thread what the two functions above gave it: before it exits, or when it
/// detaches.
void forget_thread() noexcept;

}  // namespace nopal

#endif
