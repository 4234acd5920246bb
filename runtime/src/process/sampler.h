// A thread that looks at the workers every 2 to 8 ms, for the statistics and the trace.
//
// It lowers the limits of the deques, so that the next push of each worker takes the slow path and
// can be looked at; and it writes what the workers have noted for the trace to the file. It runs
// only if CILK_STATS or CILK_TRACE asks for it, and the fast path does not know of it. Started by
// prepare_locked(). Checked by tests/verdict and tests/trace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_SAMPLER_H
#define NOPAL_PROCESS_SAMPLER_H

namespace nopal {

/// Begins the trace, if there is to be one, and starts the thread, if it is needed; once. It runs
/// until stop_sampler() or until the process ends; a forked process has none. If the system refuses
/// it there are no samples and no trace, and a warning says so.
void start_sampler() noexcept;

/// Ends the trace and the thread, and waits for both. Nothing starts it again: what runs later has
/// no samples and is not in the trace. At exit, and when main has called pthread_exit and the last
/// attached thread ends: else the sampler would keep the process alive.
void stop_sampler() noexcept;

}  // namespace nopal

#endif
