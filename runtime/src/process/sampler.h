// A thread that samples spawns by time, for the statistics: it lowers the limits of the deques, so
// that the next push of each worker takes the slow path and can be looked at.
//
// It runs only if CILK_STATS asks for a report, and the fast path does not know of it. Started by
// prepare_locked(). Checked by tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_SAMPLER_H
#define NOPAL_PROCESS_SAMPLER_H

namespace nopal {

/// Starts the thread, once. It runs until the process ends; a forked process has none. If the
/// system refuses it there are no samples, and a warning says so.
void start_sampler() noexcept;

}  // namespace nopal

#endif
