// A number that one thread writes and any thread reads.
//
// Orders: every access is relaxed. A reader in another thread sees some recent value. A counter
// publishes nothing else. Used by counters.h and strand.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_COUNTER_H
#define NOPAL_STATS_COUNTER_H

#include <atomic>
#include <cstdint>

namespace nopal::stats {

/// One number with one writer.
class Counter {
 public:
  constexpr Counter() noexcept = default;
  constexpr explicit Counter(std::uint64_t n) noexcept : value_(n) {}
  void add(std::uint64_t n = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + n,
                 std::memory_order_relaxed);  // owner only
  }
  void raise_to(std::uint64_t n) noexcept {
    if (n > value_.load(std::memory_order_relaxed))
      value_.store(n, std::memory_order_relaxed);  // owner only
  }
  void set(std::uint64_t n) noexcept { value_.store(n, std::memory_order_relaxed); }
  std::uint64_t read() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace nopal::stats

#endif
