// Another processor for a thread that is woken or created by one that goes on working.
//
// The system's choice is not reliable: under KVM an idle processor counts as taken away from the
// guest once it has halted, and the new or woken thread is put after its waker, and waits for a
// tick (README.md, "Where a woken worker runs"). Used by Sleep and WorkerRegistry. Checked by
// tests/unit/affinity_hint_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_AFFINITY_HINT_H
#define NOPAL_PLATFORM_AFFINITY_HINT_H

#include <pthread.h>
#include <sched.h>

namespace nopal {

/// The processor that a thread leaves out for a while, because who wakes it is expected there. One
/// caller at a time; the thread must not end meanwhile. If the system refuses, nothing changes. A
/// change of the thread's affinity by others is kept, but for one within a call.
class AffinityHint {
 public:
  /// From now on `thread` does not run on `processor`, if it may run on others, but where it might
  /// run before. Cost: nothing if it is left out already; else two or three system calls, and if
  /// the thread runs there, it is moved.
  void exclude(pthread_t thread, int processor) noexcept;
  /// `thread` may run again where it might before. A thread of this process is running on `seen`,
  /// or was a moment ago. Cost: nothing if no processor is left out; else two system calls, three
  /// unless that is the one left out, some more the first time and after a change by others.
  void restore(pthread_t thread, int seen) noexcept;
  /// The processor that is left out, or -1.
  int excluded() const noexcept { return excluded_; }

 private:
  bool is_as_set(const cpu_set_t &now, int seen) const noexcept;
  void settle(pthread_t thread, const cpu_set_t &allowed) noexcept;

  int excluded_ = -1;
  bool is_free_ = false;  // nothing but its cpuset confines a thread to allowed_
  cpu_set_t allowed_{};   // before the processor was left out, or when last put back
};

}  // namespace nopal

#endif
