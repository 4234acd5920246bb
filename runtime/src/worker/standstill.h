// Whether a worker that works stands still: its thread waits in the system, for input or a lock.
//
// Where programs take turns, such a worker needs no processor (idle/turns.h). Its thread's own
// clock says so, which is exact; that of the process is a tick late, and the runtime's own threads
// move it. Checked by tests/unit/standstill_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_STANDSTILL_H
#define NOPAL_WORKER_STANDSTILL_H

#include "../stats/counters.h"

#include <cstdint>

namespace nopal {

/// Of one worker. No thread safety: for the thread that takes turns.
class Standstill {
 public:
  /// Whether the worker has worked for `longest_ns` or more, as far as this was called, without its
  /// thread on a processor. Cost: a system call of a microsecond or more, if it works.
  bool observe(std::uint64_t now_ns, const stats::WorkerCounters &counters,
               std::uint64_t longest_ns) noexcept {
    const bool works = counters.activity() == stats::Activity::kWorking;
    const stats::WorkerCounters::Ran now =
        works ? counters.thread_ran() : stats::WorkerCounters::Ran{};
    if (!works || now.thread != before_.thread || now.ns != before_.ns) since_ns_ = now_ns;
    before_ = now;
    return now_ns - since_ns_ >= longest_ns;
  }

 private:
  stats::WorkerCounters::Ran before_;
  std::uint64_t since_ns_ = 0;
};

}  // namespace nopal

#endif
