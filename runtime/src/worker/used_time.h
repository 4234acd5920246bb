// How long a worker has worked on a processor, for parallelism feedback.
//
// Not from the process's clock: Linux adds what a running thread has run to it at a tick only, a
// millisecond to ten later, so a quantum's part of it is too small or too large. A thread's own
// clock is exact. Checked by tests/unit/used_time_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_USED_TIME_H
#define NOPAL_WORKER_USED_TIME_H

#include "../stats/counters.h"

#include <algorithm>
#include <cstdint>

namespace nopal {

/// Of one worker. No thread safety: for the worker that ends a quantum (idle/feedback.h).
class UsedTime {
 public:
  /// Adds what came since the last call: the time that the worker worked by the clock on the wall,
  /// or the time that its thread had a processor, if that is less. An estimate: with a new thread,
  /// a thread that is gone (in the child of a fork), or if the last call saw no work, the wall's.
  /// `waits_count`: the wall's in any case. Returns the sum in ns. Cost: a system call of a
  /// microsecond or more, if it has worked.
  std::uint64_t add_until(std::uint64_t now_ns, const stats::WorkerCounters &counters,
                          bool waits_count = false) noexcept {
    const std::uint64_t working_ns = counters.time_ns(stats::Activity::kWorking, now_ns);
    const std::uint64_t worked_ns = working_ns - std::min(working_ns, working_ns_);
    working_ns_ = working_ns;
    if (worked_ns == 0) return used_ns_;
    const stats::WorkerCounters::Ran now = counters.thread_ran();
    const bool is_comparable = now.ns != 0 && now.thread == before_.thread && now.ns >= before_.ns;
    used_ns_ +=
        is_comparable && !waits_count ? std::min(worked_ns, now.ns - before_.ns) : worked_ns;
    before_ = now;
    return used_ns_;
  }

 private:
  std::uint64_t working_ns_ = 0;
  std::uint64_t used_ns_ = 0;
  stats::WorkerCounters::Ran before_;
};

}  // namespace nopal

#endif
