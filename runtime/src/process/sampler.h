// A thread that looks at the workers every 2 ms, for the statistics and the trace.
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
/// until the process ends, or until the trace has ended at exit; a forked process has none. If the
/// system refuses it there are no samples and no trace, and a warning says so.
void start_sampler() noexcept;

}  // namespace nopal

#endif
