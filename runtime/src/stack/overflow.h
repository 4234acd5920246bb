// Stack overflow: a message instead of a bare SIGSEGV when a worker runs into the guard zone of its
// segment.
//
// Called by the scheduler in each thread that runs on segments, before it does, and in each that
// attaches. Rules: overflow.md. Checked by tests/unit/overflow_test.cpp and tests/faults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_OVERFLOW_H
#define NOPAL_STACK_OVERFLOW_H

#include <cactus/own_stack.h>

namespace nopal {

/// Gives the calling thread an alternate signal stack if it has none (forget_thread() takes it away
/// again), and, at the first call in the process, installs the SIGSEGV handler. A hit of a guard
/// zone prints a message naming worker, segment size and CILK_SEGMENT_SIZE, and the process dies by
/// SIGSEGV with the faulting instruction in the core file; every other SIGSEGV goes to the handler
/// that was there before. A handler that the program installs later replaces ours. `worker_index`
/// tells which worker the calling thread is (negative: none); it must be async-signal-safe. The
/// first call's counts. Errors: if the system refuses, a warning is printed and overflows stay
/// plain SIGSEGVs. Repeated calls are cheap.
void install_overflow_handler(int (*worker_index)() noexcept = nullptr) noexcept;

/// From now on a hit of the end of the calling thread's own stack gives a message, too (the remedy
/// is ulimit -s or a larger stack for the thread), unless the program had a SIGSEGV handler with
/// SA_ONSTACK before: that one gets it. After install_overflow_handler. Cost: some microseconds; on
/// the main thread some tens, since the system is asked for its mappings. Errors: none; the
/// overflow stays plain. Returns where the stack lies.
cactus::OwnStack watch_own_stack() noexcept;

/// Takes back from the calling thread what the two functions above gave it: before it exits, or
/// when it detaches.
void forget_thread() noexcept;

}  // namespace nopal

#endif
