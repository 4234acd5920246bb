// How long the longest path is that leads to what a worker runs, and how much the worker has run:
// from these come work and span (estimate.h).
//
// A *path* is a way through the program as it was run: strands one after the other, along spawns
// and joins whose continuation was stolen. What one worker runs between two steals counts as one
// strand, so the longest path is an upper bound of the span. Times are those of the thread's
// processor clock: what else the machine does changes them little, and more workers than processors
// are fine.
//
// Called by worker/activity.h, if CILK_STATS asks for a report. The rules: README.md. Checked by
// tests/unit/estimate_test.cpp and tests/verdict.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [begun] the owner's stores when a strand begins, before the release of bottom by its next push
//       -> a thief's loads with a claim on what was pushed (deque.h, `inspect`): those of one
//       strand. Other readers: some recent values.
//   [key] the taker's store-release of null -> compare-exchange acquire from null: the entry's
//       length is 0. Within a frame's life the join orders: all raise before they join, and the
//       last one takes.
//   [length] relaxed: a maximum of many writers.
//   [lost] relaxed: it stays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_STRAND_H
#define NOPAL_STATS_STRAND_H

#include "../../abi/nopal_abi.h"
#include "../platform/clock.h"
#include "../platform/thread_wait.h"
#include "counter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nopal::stats {

/// The length of a path of which a part is not known. It is the largest, so what follows is not
/// known either.
inline constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};

constexpr std::uint64_t longer(std::uint64_t length_ns, std::uint64_t by_ns) noexcept {
  return length_ns == kUnknownLength ? length_ns : length_ns + by_ns;
}

/// The strand of a worker. The owner alone writes.
class Strand {
 public:
  struct Begun {
    std::uint64_t length_ns;  // of the longest path to its beginning, or, if it has ended, its end
    std::uint64_t since_ns;   // of the thread's processor time
    int thread;               // its gettid(); 0: it has ended

    /// Of the longest path to what the strand does now. Any thread. Cost: a system call.
    std::uint64_t length_now() const noexcept { return longer(length_ns, ran_ns()); }
    std::uint64_t ran_ns() const noexcept {
      if (thread == 0) return 0;
      const std::uint64_t now = thread_cpu_ns(thread);
      return now - std::min(now, since_ns);
    }
  };

  /// A strand begins at the end of a path of that length, in the calling thread. Cost: two system
  /// calls.
  void begin(std::uint64_t length_ns, int thread) noexcept {
    wall_since_ns_ = now_ns();
    waits_ = thread_waits();
    length_ns_.set(length_ns);                         // [begun]
    since_ns_.set(thread_cpu_ns());                    // [begun]
    thread_.store(thread, std::memory_order_relaxed);  // [begun]
    set_taken(kUnknownLength);
  }
  /// It ends, if it has not ended. Returns how long it has run. Cost: as begin().
  std::uint64_t end() noexcept {
    const Begun begun = this->begun();
    if (begun.thread == 0) return 0;
    const std::uint64_t ran_ns = thread_cpu_ns() - begun.since_ns;
    const std::uint64_t passed_ns = now_ns() - wall_since_ns_;
    if (passed_ns > ran_ns + kShortestWaitNs && thread_waits() != waits_)
      blocked_ns_.add(passed_ns - ran_ns);
    work_ns_.add(ran_ns);
    length_ns_.set(longer(begun.length_ns, ran_ns));  // [begun]
    longest_ns_.raise_to(length_ns_.read());
    thread_.store(0, std::memory_order_relaxed);  // [begun]
    return ran_ns;
  }
  /// The length of the longest path to where it has ended.
  std::uint64_t length_ns() const noexcept { return length_ns_.read(); }
  /// The runtime does something that may wait, which is no wait of the strand: it ends, if it is
  /// not short, and is to begin again. Returns as end(). Cost: a load if nobody measures.
  std::uint64_t pause() noexcept {
    return is_running() && now_ns() - wall_since_ns_ > kShortStrandNs ? end() : 0;
  }
  void go_on(int thread) noexcept {
    if (is_running())
      waits_ = thread_waits();
    else
      begin(length_ns_.read(), thread);
  }
  /// The length of the path to the continuation that the worker has taken and will run next.
  void set_taken(std::uint64_t length_ns) noexcept { taken_ns_.set(length_ns); }
  std::uint64_t taken() const noexcept { return taken_ns_.read(); }

  // Any thread; estimates while the owner runs.
  Begun begun() const noexcept {
    // [begun]
    return {length_ns_.read(), since_ns_.read(), thread_.load(std::memory_order_relaxed)};
  }
  bool is_running() const noexcept {
    return thread_.load(std::memory_order_relaxed) != 0;  // [begun]
  }
  /// When it began, by the clock of its thread, which tells it from others of the worker; 0: it has
  /// ended.
  std::uint64_t number() const noexcept {
    const Begun begun = this->begun();
    return begun.thread != 0 ? begun.since_ns : 0;
  }
  /// Processor time of all strands so far.
  std::uint64_t work_ns() const noexcept { return work_ns_.read() + begun().ran_ns(); }
  /// The longest path.
  std::uint64_t longest_ns() const noexcept {
    return std::max(longest_ns_.read(), begun().length_now());
  }
  /// Of strands that have ended and waited of their own accord: the time without a processor.
  std::uint64_t blocked_ns() const noexcept { return blocked_ns_.read(); }

 private:
  // A strand that was off the processor for less has not waited.
  static constexpr std::uint64_t kShortestWaitNs = 20'000;
  // A shorter strand goes on through what the runtime does in it: to end it costs system calls.
  static constexpr std::uint64_t kShortStrandNs = 200'000;

  Counter length_ns_;
  Counter since_ns_;
  std::atomic<int> thread_{0};
  Counter work_ns_;
  Counter longest_ns_;
  Counter blocked_ns_;
  Counter taken_ns_{kUnknownLength};
  // Owner only: when the strand has begun, and how often its thread had waited.
  std::uint64_t wall_since_ns_ = 0;
  long waits_ = 0;
};

/// Of frames that wait for others at a sync: the longest path to those who have joined so far.
class JoinedPaths {
 public:
  static constexpr std::size_t kCapacity = 4096;

  /// Who joins `frame` has come by a path of that length. Before it joins. Any thread.
  void raise(const nopal_frame *frame, std::uint64_t length_ns) noexcept {
    for (std::size_t look = 0; look < kMostLooks; ++look)
      if (entry(frame, look).key.load(std::memory_order_relaxed) == frame)  // [key]
        return raise(entry(frame, look), length_ns);
    for (std::size_t look = 0; look < kMostLooks; ++look) {
      const nopal_frame *none = nullptr;
      if (entry(frame, look)
              .key.compare_exchange_strong(none, frame, std::memory_order_acquire,
                                           std::memory_order_relaxed))  // [key]
        return raise(entry(frame, look), length_ns);
    }
    is_lost_.store(true, std::memory_order_relaxed);  // [lost]
  }
  /// All have joined: the longest of their paths. The last one to join only.
  std::uint64_t take(const nopal_frame *frame) noexcept {
    std::uint64_t length_ns = 0;
    for (std::size_t look = 0; look < kMostLooks; ++look) {
      Entry &found = entry(frame, look);  // two who come at once may have made an entry each
      if (found.key.load(std::memory_order_relaxed) != frame) continue;  // [key]
      // [length]
      length_ns = std::max(length_ns, found.length_ns.exchange(0, std::memory_order_relaxed));
      found.key.store(nullptr, std::memory_order_release);  // [key]
    }
    return is_lost_.load(std::memory_order_relaxed) ? kUnknownLength : length_ns;  // [lost]
  }

 private:
  struct Entry {
    std::atomic<const nopal_frame *> key{nullptr};
    std::atomic<std::uint64_t> length_ns{0};
  };
  static constexpr std::size_t kMostLooks = 16;  // then all that follows is not known

  Entry &entry(const nopal_frame *frame, std::size_t look) noexcept {
    const std::uint64_t hash = reinterpret_cast<std::uintptr_t>(frame) * 0x9e3779b97f4a7c15u;
    return entries_[((hash >> 52) + look) % kCapacity];
  }
  static void raise(Entry &entry, std::uint64_t length_ns) noexcept {
    std::uint64_t before = entry.length_ns.load(std::memory_order_relaxed);  // [length]
    while (before < length_ns && !entry.length_ns.compare_exchange_weak(
                                     before, length_ns, std::memory_order_relaxed)) {  // [length]
    }
  }

  std::array<Entry, kCapacity> entries_{};
  std::atomic<bool> is_lost_{false};
};

/// The process's.
inline constinit JoinedPaths the_joined_paths;
inline JoinedPaths &joined_paths() noexcept { return the_joined_paths; }

}  // namespace nopal::stats

#endif
