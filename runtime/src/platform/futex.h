// The two futex calls with which the runtime waits and wakes. Private to this process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_FUTEX_H
#define NOPAL_PLATFORM_FUTEX_H

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace nopal {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "what the kernel reads");

/// Sleeps while `word` holds `value`, until woken or `timeout` has passed (zero: no limit). May
/// return for no reason: the caller looks at `word` again, and its loads order what follows.
inline void futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t value,
                       std::chrono::nanoseconds timeout = {}) noexcept {
  timespec limit;
  limit.tv_sec = static_cast<time_t>(timeout.count() / 1'000'000'000);
  limit.tv_nsec = static_cast<long>(timeout.count() % 1'000'000'000);
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, timeout.count() > 0 ? &limit : nullptr,
          nullptr, 0);
}

/// Wakes one waiter. The word may be gone already: the kernel only compares its address, and every
/// waiter tolerates a spurious wake-up.
inline void futex_wake_one(std::atomic<std::uint32_t> &word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace nopal

#endif
