// The list of all segment descriptors of the process, and the process-wide counters. Internal to
// cactus.
//
// Callers: segment.cpp (map, unmap), accounting.cpp and measure.cpp (walks). Lock order: the
// meter's mutex, then the registry's. A pool's mutex is never held together with either, except
// around a fork, where it comes last. Invariants: cactus-stack/README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_SRC_REGISTRY_H
#define CACTUS_SRC_REGISTRY_H

#include <cactus/segment.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace cactus {

/// Bytes of the guard zone below each segment: several pages, so that a frame that skips some of
/// its bytes still hits it.
std::size_t guard_bytes() noexcept;

/// Adds `n` to `count` and raises `peak` to the new value.
inline void count_up(std::atomic<std::size_t> &count, std::atomic<std::size_t> &peak,
                     std::size_t n = 1) noexcept {
  // Relaxed: counters publish nothing.
  const std::size_t now = count.fetch_add(n, std::memory_order_relaxed) + n;
  std::size_t seen = peak.load(std::memory_order_relaxed);
  while (seen < now && !peak.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
  }
}

/// Process-wide counters, each relaxed and read on its own. Every acquire and release changes
/// in_use, so it shares a cache line with its peak alone. The others change only when a segment
/// meets a pool or the system.
struct Totals {
  alignas(64) std::atomic<std::size_t> in_use{0};
  std::atomic<std::size_t> peak_in_use{0};
  alignas(64) std::atomic<std::size_t> reserved{0};
  std::atomic<std::size_t> peak_reserved{0};
  std::atomic<std::size_t> reserved_bytes{0};
  std::atomic<std::size_t> peak_reserved_bytes{0};
  std::atomic<std::size_t> in_pools{0};
  std::atomic<std::uint64_t> maps{0};
  std::atomic<std::uint64_t> decommits{0};
};

extern Totals totals;

/// Descriptors are added and never removed; those of unmapped segments are used again. So a walk is
/// safe without a lock, and exact under the mutex.
class Registry {
 public:
  /// Maps a segment of `size_bytes` (whole pages) with its guard zone. Returns nullptr, with errno,
  /// on failure.
  static Segment *map(std::size_t size_bytes) noexcept;
  /// Unmaps an idle segment. Keeps errno.
  static void unmap(Segment *segment) noexcept;
  static Found find(const void *address) noexcept;
  static void lock() noexcept { mutex_.lock(); }
  static void unlock() noexcept { mutex_.unlock(); }
  /// Of a pointer to the first descriptor.
  static const void *first_address() noexcept { return &first_; }

  /// Calls `visit` with each mapped segment, while nothing is mapped or unmapped. `visit` must not
  /// call this class.
  template <class Visit>
  static void visit_mapped(Visit visit) noexcept {
    const std::lock_guard lock(mutex_);
    for (Segment *s = first_.load(std::memory_order_relaxed); s != nullptr;
         s = s->next_registered_)  // under mutex_
      if (s->low() != nullptr) visit(*s);
  }

 private:
  static Segment *take_descriptor() noexcept;
  static void put_descriptor(Segment *segment) noexcept;

  static std::mutex mutex_;              // guards mapping, unmapping and free_
  static std::atomic<Segment *> first_;  // all descriptors, through next_registered_
  static Segment *free_;                 // those of unmapped segments, through next_idle_
};

}  // namespace cactus

#endif
