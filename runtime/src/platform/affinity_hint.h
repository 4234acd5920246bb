// Keeps a thread off one processor while the thread that woke or created it works there.
//
// The system's choice is not reliable. Under KVM an idle processor counts as taken away from the
// guest once it has halted; the new or woken thread is put on its waker's processor and waits for a
// tick (idle/README.md, "Where a woken worker runs"). Used by Sleep and WorkerRegistry. Checked by
// tests/unit/affinity_hint_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_AFFINITY_HINT_H
#define NOPAL_PLATFORM_AFFINITY_HINT_H

#include <pthread.h>
#include <sched.h>

namespace nopal {

/// The processor that a thread excludes for a while. One caller at a time; the thread must not end
/// meanwhile. If the system refuses, nothing changes. A change of the thread's affinity by others
/// is kept, except within a call.
class AffinityHint {
 public:
  /// From now on `thread` does not run on `processor`, if it may run on others, but where it might
  /// run before. Cost: nothing if that is excluded already; else two or three system calls, and if
  /// the thread runs there, it is moved.
  void exclude(pthread_t thread, int processor) noexcept;
  /// `thread` may run again where it might before. A thread of this process runs on `seen`, or did
  /// a moment ago. Cost: nothing if no processor is excluded; else two system calls, three unless
  /// `seen` is the excluded one, some more the first time and after a change by others.
  void restore(pthread_t thread, int seen) noexcept;
  /// The excluded processor, or -1.
  int excluded() const noexcept { return excluded_; }

 private:
  bool is_as_set(const cpu_set_t &now, int seen) const noexcept;
  void settle(pthread_t thread, const cpu_set_t &allowed) noexcept;

  int excluded_ = -1;
  bool is_free_ = false;  // only its cpuset confines a thread to allowed_
  cpu_set_t allowed_{};   // before the exclusion, or when last restored
};

}  // namespace nopal

#endif
