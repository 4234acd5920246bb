// How long a thread has waited for a processor, as the kernel counts it.
//
// Used by the statistics, if CILK_STATS asks for a report: it tells a worker that blocks from one
// on a loaded machine. Checked by tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_THREAD_WAIT_H
#define NOPAL_PLATFORM_THREAD_WAIT_H

#include <cstdint>

namespace nopal {

/// Nanoseconds that a thread of this process was ready to run and did not; 0 if the kernel does not
/// count them, or the thread has ended. `thread`: its gettid(). Cost: some microseconds. The file
/// is not kept open: the program may close descriptors that it does not know.
std::uint64_t thread_wait_ns(int thread) noexcept;

/// How often the calling thread has waited of its own accord: for a lock, a device, a time. Cost: a
/// system call.
long thread_waits() noexcept;

}  // namespace nopal

#endif
