// The runtime's clocks. The deque's adaptive fences, the times in stats/, idle/ and attach use
// them. Their unit tests check them; the model tests have a clock of their own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_CLOCK_H
#define NOPAL_PLATFORM_CLOCK_H

#include <cstdint>
#include <ctime>

namespace nopal {

/// Nanoseconds of `clock`; 0 if there is none.
inline std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// Nanoseconds of the monotonic clock. Anyone may call it. Cost: about 20 ns.
inline std::uint64_t now_ns() noexcept { return clock_ns(CLOCK_MONOTONIC); }

/// Nanoseconds that the calling thread has run on a processor. Cost: a system call.
inline std::uint64_t thread_cpu_ns() noexcept { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

/// The same of another thread of this process, by its gettid(); 0 if it has ended. The clock's
/// number is the kernel's: the thread's, inverted, and CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED.
inline std::uint64_t thread_cpu_ns(int thread) noexcept {
  return clock_ns(static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | 6));
}

}  // namespace nopal

#endif
