// How many workers work at the same time: how long nobody did, and how long only one.
//
// Each change of a worker between working and not working is one compare-exchange of a word that
// holds the number and the time of the last change; whoever makes the change accounts for the
// period that ends. So the periods add up to the elapsed time, whatever the threads do. Called by
// worker/activity.h. Read by stats/snapshot.cpp. Checked by tests/unit/busy_test.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [word] compare-exchange: a period is accounted for once. Relaxed: it publishes nothing else.
//   [sum]  relaxed: sums of many writers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_BUSY_H
#define NOPAL_STATS_BUSY_H

#include <atomic>
#include <cstdint>

namespace nopal::stats {

class Busy {
 public:
  struct Periods {
    std::uint64_t none_ns;   // no worker worked
    std::uint64_t alone_ns;  // one did
    std::uint64_t last_ns;   // of alone_ns: the part up to now in which no strand has ended
    unsigned working;        // now
  };

  /// A worker begins or ends to work at `now_ns`. Returns how long one worker had been alone, since
  /// the last call that returned something; 0 if it was not.
  std::uint64_t begins(std::uint64_t now_ns) noexcept { return change(1, now_ns); }
  std::uint64_t ends(std::uint64_t now_ns) noexcept { return change(-1, now_ns); }
  /// A strand of a working worker ends at `now_ns`, and another follows. Returns as begins().
  std::uint64_t goes_on(std::uint64_t now_ns) noexcept {
    return is_alone() ? change(0, now_ns) : 0;
  }
  /// Whether one worker works. A hint, exact for the worker that does. Cost: a load.
  bool is_alone() const noexcept {
    return (word_.load(std::memory_order_relaxed) & kCount) == 1;  // [word]
  }
  unsigned working() const noexcept {
    return static_cast<unsigned>(word_.load(std::memory_order_relaxed) & kCount);  // [word]
  }
  Periods read(std::uint64_t now_ns) const noexcept {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);  // [word]
    Periods periods{none_ns_.load(std::memory_order_relaxed),          // [sum]
                    alone_ns_.load(std::memory_order_relaxed), 0,      // [sum]
                    static_cast<unsigned>(word & kCount)};
    const std::uint64_t open = word == 0 ? 0 : since(word, now_ns);
    if (periods.working == 0) periods.none_ns += open;
    if (periods.working == 1) periods.alone_ns += periods.last_ns = open;
    return periods;
  }

 private:
  // A word: the time in units of 16 ns, and below it the number of workers, which the registry
  // bounds. The time wraps around after half a year.
  static constexpr int kCountBits = 14;
  static constexpr int kUnitBits = 4;
  static constexpr std::uint64_t kCount = (std::uint64_t{1} << kCountBits) - 1;

  static std::uint64_t word_of(std::uint64_t now_ns, std::uint64_t count) noexcept {
    return (now_ns >> kUnitBits) << kCountBits | count;
  }
  /// Nanoseconds from the word's time to `now_ns`; 0 if that is earlier, as another thread's
  /// reading of the clock may be.
  static std::uint64_t since(std::uint64_t word, std::uint64_t now_ns) noexcept {
    const auto units =
        static_cast<std::int64_t>(word_of(now_ns, 0) - (word & ~kCount)) >> kCountBits;
    return units > 0 ? static_cast<std::uint64_t>(units) << kUnitBits : 0;
  }

  std::uint64_t change(int by, std::uint64_t now_ns) noexcept {
    std::uint64_t old = word_.load(std::memory_order_relaxed);  // [word]
    for (;;) {
      const std::uint64_t count = (old & kCount) + static_cast<std::uint64_t>(std::int64_t{by});
      const std::uint64_t period = old == 0 ? 0 : since(old, now_ns);
      const std::uint64_t time = old == 0 || period != 0 ? word_of(now_ns, 0) : old & ~kCount;
      // [word]
      if (!word_.compare_exchange_weak(old, time | (count & kCount), std::memory_order_relaxed))
        continue;
      if ((old & kCount) == 0) none_ns_.fetch_add(period, std::memory_order_relaxed);  // [sum]
      if ((old & kCount) != 1) return 0;
      alone_ns_.fetch_add(period, std::memory_order_relaxed);  // [sum]
      return period;
    }
  }

  alignas(64) std::atomic<std::uint64_t> word_{0};  // 0: no worker has worked yet
  std::atomic<std::uint64_t> none_ns_{0};
  std::atomic<std::uint64_t> alone_ns_{0};
};

/// The process's.
inline constinit Busy the_busy;
inline Busy &busy() noexcept { return the_busy; }

}  // namespace nopal::stats

#endif
