// The counters of one worker. Its owner alone writes (a relaxed load and store, no
// read-modify-write); any thread reads at any time. Except deque_depth_peak, which the deque keeps
// and each visitor copies (process/stats_source.cpp). Meanings: docs/statistics.md. Read by
// stats/snapshot.cpp. Checked by tests/unit/stats_test.cpp.
//
// Orders: every access is relaxed. A reader in another thread sees some recent value. A reader that
// has synchronized with the owner (after a sync, or in an atexit handler when the workers are
// parked) sees the last one. A counter publishes nothing else.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_COUNTERS_H
#define NOPAL_STATS_COUNTERS_H

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../platform/clock.h"
#include "counter.h"
#include "strand.h"

namespace nopal::stats {

/// What a worker's time is spent on. kIdle: no thread holds the worker, and its time is not
/// counted.
enum class Activity : std::uint8_t { kIdle, kWorking, kStealing, kParked };
inline constexpr std::size_t kActivities = 4;

/// Steals are counted by distance in the topology: the first for the smallest group, the last for
/// all that is farther.
inline constexpr std::size_t kDistances = 4;

/// Steals are counted by victim: those after the last but one share the last.
inline constexpr std::size_t kVictims = 64;

/// Sampled times from a push to the next: those below 2, 4, 8, ... ns.
inline constexpr std::size_t kSpawnIntervals = 40;

/// Whether processor time is measured, which costs a system call for each change of activity and
/// for each strand: if CILK_STATS asks for a report. Written once, before the first worker is made.
inline constinit std::atomic<bool> measures_cpu{false};

/// From now on. Before the first worker is made.
inline void measure_cpu() noexcept { measures_cpu.store(true, std::memory_order_relaxed); }

struct alignas(64) WorkerCounters {
  Counter steals;            // continuations this worker took
  Counter attempts;          // victims it looked at, successful or not
  Counter failed_empty;      // attempts that found nothing
  Counter failed_lost_race;  // attempts that another thief or the owner won
  Counter suspends;          // stacks it left because their continuation was stolen
  Counter resumes;           // suspended stacks it went on with
  Counter deque_depth_peak;  // most entries its deque ever held
  Counter parks;             // times it went to sleep
  // What a policy may ask for (policy/README.md).
  Counter failed_others_work;  // steal-backs that found another owner's work
  Counter steal_backs;         // steals that took back the worker's own work
  Counter hash_hits;           // steals from a worker of an owner that was drawn
  Counter taken_along;         // continuations that came with another at one steal
  std::array<Counter, kDistances> steals_at_distance;
  std::array<Counter, kVictims> steals_from;  // by the victim's index
  Counter views_created;                      // views of hyperobjects
  Counter views_merged;                       // views that it reduced into others
  Counter views_peak;       // most views that lived in the process when it created one
  Counter working_cpu_ns;   // see charge_cpu
  Counter working_wait_ns;  // ready, without a processor or a turn
  Counter idle_wait_ns;     // the same, while it did not work
  std::array<Counter, kSpawnIntervals> spawn_intervals;  // sampled: from one push to the next
  Strand strand;                                         // that it runs, if measures_cpu

  /// Ends the current activity at `now_ns` and begins another. Owner only.
  void enter(Activity activity, std::uint64_t now_ns) noexcept {
    time_ns_[index(activity_.load(std::memory_order_relaxed))].add(now_ns - since_ns_.read());
    since_ns_.set(now_ns);
    activity_.store(activity, std::memory_order_relaxed);
  }
  /// The calling thread is the owner, and has been since the last call or cpu_begins(): adds the
  /// processor time since then, and the time that it waited for a processor. Before enter(), and
  /// before another thread becomes the owner. Cost: a load, if no report is wanted; else a
  /// microsecond, and some more if the last call was long ago.
  void charge_cpu(std::uint64_t now_ns) noexcept {
    if (measures_cpu.load(std::memory_order_relaxed)) charge_measured(now_ns);
  }
  /// The owner worked and waited for `ns` for its program's turn. Owner only.
  void charge_turn(std::uint64_t ns) noexcept {
    if (measures_cpu.load(std::memory_order_relaxed)) working_wait_ns.add(ns);
  }
  /// The calling thread becomes the owner. `was_idle`: it has waited for that since its last
  /// cpu_ends(), or since its start. Cost: a system call; some more if a report is wanted.
  void cpu_begins(bool was_idle) noexcept {
    set_thread();
    if (measures_cpu.load(std::memory_order_relaxed)) begin_measured(was_idle);
  }
  /// It will not be from now on.
  void cpu_ends(std::uint64_t now_ns) noexcept {
    if (measures_cpu.load(std::memory_order_relaxed)) end_measured(now_ns);
  }
  /// A thread, by its gettid(), and how long it has had a processor.
  struct Ran {
    int thread = 0;
    std::uint64_t ns = 0;
  };
  /// The last owner's; 0 ns if there was none, or it has ended. Any thread. Cost: a system call of
  /// a microsecond or more.
  Ran thread_ran() const noexcept;
  /// A strand of the owner begins at the end of a path of that length, if processor time is
  /// measured. Cost: as charge_cpu.
  void begin_strand(std::uint64_t length_ns) noexcept {
    if (measures_cpu.load(std::memory_order_relaxed))
      strand.begin(length_ns, thread_.load(std::memory_order_relaxed));
  }
  /// After Strand::pause().
  void go_on() noexcept {
    if (measures_cpu.load(std::memory_order_relaxed))
      strand.go_on(thread_.load(std::memory_order_relaxed));
  }
  /// working_cpu_ns and working_wait_ns with those of work that goes on. Any thread; an estimate. 0
  /// if no report is wanted.
  struct Processor {
    std::uint64_t ran_ns;
    std::uint64_t waited_ns;
  };
  Processor working_processor() const noexcept;
  /// Of the last `ns` before `now_ns`: how long the owner was ready and had no processor. An
  /// estimate, if the last reading was before that. Any thread. Cost: as charge_cpu.
  std::uint64_t waited_within(std::uint64_t ns, std::uint64_t now_ns) const noexcept;
  /// A spawn came `ns` after the one before it. Owner only.
  void sample_interval(std::uint64_t ns) noexcept {
    const auto bits = static_cast<std::size_t>(std::bit_width(ns));
    spawn_intervals[std::min(bits, kSpawnIntervals - 1)].add();
  }
  /// What a reader outside of the process must know: process/live.h. In bytes, from the beginning.
  struct Offsets {
    std::uint32_t steals, attempts, time_ns, since_ns, activity;
  };
  static Offsets offsets() noexcept;
  /// For others than the owner a hint.
  Activity activity() const noexcept { return activity_.load(std::memory_order_relaxed); }
  /// Time spent on an activity, with the part of the current one before `now_ns`. Any thread; an
  /// estimate while the owner runs.
  std::uint64_t time_ns(Activity activity, std::uint64_t now_ns) const noexcept {
    std::uint64_t total = time_ns_[index(activity)].read();
    const std::uint64_t since = since_ns_.read();
    if (activity_.load(std::memory_order_relaxed) == activity && now_ns > since)
      total += now_ns - since;
    return total;
  }

 private:
  static std::size_t index(Activity activity) noexcept {
    return static_cast<std::size_t>(activity);
  }

  std::array<Counter, kActivities> time_ns_;
  Counter since_ns_;
  std::atomic<Activity> activity_{Activity::kIdle};
  void charge_measured(std::uint64_t now_ns) noexcept;
  void set_thread() noexcept;
  void begin_measured(bool was_idle) noexcept;
  void end_measured(std::uint64_t now_ns) noexcept;
  void read_wait(std::uint64_t now_ns, Counter &into) noexcept;

  // Of its thread: who it is, and the last readings of its clocks.
  std::atomic<int> thread_{0};
  Counter cpu_since_ns_;
  Counter wait_since_ns_;
  Counter wait_read_at_ns_;
};

}  // namespace nopal::stats

#endif
