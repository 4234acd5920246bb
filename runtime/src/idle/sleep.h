// Which workers without work search, which one polls and which are parked.
//
// Called by the worker loop (scheduler/worker_loop.cpp), by attach and by stop. States, transitions
// and the proof that no wake-up is lost: README.md. Checked by tests/unit/sleep_test.cpp and
// tests/stress.
//
// Edge table
//   [S] Sleeper::signal: the waker stores with release, the sleeper loads with acquire: it sees why
//       it was woken, and which of the two restores its affinity.
//   [P] Sleeper::is_being_restored: the waker stores false with release after its call, the sleeper
//       loads with acquire: threads that the sleeper creates run where they may.
//   The word's edges are in sleep_word.h, the alarm's in alarm.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_SLEEP_H
#define NOPAL_IDLE_SLEEP_H

#include "../policy/many_workers.h"
#include "../worker/sleeper.h"
#include "alarm.h"
#include "sleep_word.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace nopal {

class Sleep {
 public:
  /// What a worker does next that found nothing.
  enum class Next : std::uint8_t { kPoll, kPark, kStop };

  /// Workers that start when all others work. A worker that then finds work, and leaves nobody
  /// watching, calls `start_one`, which starts the next; that one counts as searching from then on.
  /// `start_one` returns false if it cannot; no mutex is held meanwhile. Under lifecycle().
  void keep_in_reserve(unsigned workers, bool (*start_one)() noexcept) noexcept;
  /// A worker that was counted as searching has not been started.
  void was_not_started() noexcept;

  // ---- A worker about itself. ----

  /// working -> searching; or on behalf of a worker that is being started. Cost: one atomic
  /// operation.
  void start_search() noexcept;
  /// searching -> working. Wakes as many parked workers as policy::wake_ups says; if none is parked
  /// and nobody watches, starts one of the reserve. Cost: one atomic operation, seldom a wake-up or
  /// a thread's creation; after a sleep two system calls.
  void found_work(Sleeper &self, policy::FoundWork found = {}) noexcept;
  /// searching -> gone: the worker is given up because the runtime stops.
  void stop_search(Sleeper &self) noexcept;
  /// searching -> polling if threads are attached and nobody polls, else searching -> parked;
  /// searching -> gone (kStop) when closed. `is_counted`: else it has searched uncounted. Cost: a
  /// mutex.
  Next go_idle(Sleeper &self, bool is_counted = true) noexcept;
  /// Parked: sleeps until woken. On return the worker is searching (its waker has counted it so).
  void wait_parked(Sleeper &self) noexcept;
  /// Polling: from now on a slow push wakes the poller. Returns false, and does nothing, when
  /// closed. Then the caller makes the next push of every deque slow, calls pushes_are_slow() and
  /// looks at all deques, before it waits. Cost: a mutex.
  bool set_alarm(Sleeper &self) noexcept;
  void pushes_are_slow() noexcept { alarm_.pushes_are_slow(); }
  /// Polling: slow pushes wake nobody any more; the next wait lasts its time. Returns whether an
  /// owner has called since set_alarm(). Cost: a mutex.
  bool reset_alarm(Sleeper &self) noexcept;
  /// Polling, the alarm set and all deques seen to be empty: sleeps for `limit`, or until called or
  /// interrupted; not at all if it is called already.
  void wait_for_call(Sleeper &self, std::chrono::nanoseconds limit) noexcept;
  /// Polling: sleeps for `pause`, or until called or interrupted. The worker stays the poller.
  void wait_polling(Sleeper &self, std::chrono::nanoseconds pause) noexcept;
  /// Polling, without an alarm: as wait_polling, but a call that came late, after reset_alarm(),
  /// does not shorten it. Cost: a mutex.
  void sleep_for_pause(Sleeper &self, std::chrono::nanoseconds pause) noexcept;
  /// polling -> working, as found_work.
  void poller_found_work(Sleeper &self, policy::FoundWork found = {}) noexcept;
  /// polling -> parked if no thread is attached any more; returns whether it did. Then the caller
  /// calls wait_parked.
  bool poller_may_park(Sleeper &self) noexcept;
  /// polling -> gone, as stop_search.
  void stop_polling(Sleeper &self) noexcept;

  // ---- About others. ----

  /// The owner of a deque, after each slow push: wakes the poller if it has set its alarm.
  /// `prepare` runs before the wake-up. Cost: a fence; only if the alarm is set also a mutex and a
  /// wake-up, ten microseconds and more.
  template <class Prepare>
  void pushed_slowly(Prepare prepare) noexcept {
    if (alarm_.push() != Alarm<HardwareAtoms>::kAsleep) [[likely]]
      return;  // if it is awake, it sees that its alarm is taken
    prepare();
    call_poller();
  }
  void pushed_slowly() noexcept {
    pushed_slowly([] {});
  }

  /// A thread may create work from now on. If nobody watches, wakes a parked worker, or starts one
  /// of the reserve.
  void attached() noexcept;
  void detached() noexcept;
  /// The runtime stops: wakes all parked workers and the poller, and lets no worker go idle until
  /// open().
  void close() noexcept;
  void open() noexcept;
  /// Whether helpers are to end; a worker's loop asks before it goes idle. A hint. Cost: a load.
  bool is_closed() const noexcept { return closed_.load(std::memory_order_relaxed); }

  /// Around fork(): the lists do not change.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  /// In a forked process, which has none of the threads that slept or searched. Under lock().
  void forget_sleepers_locked() noexcept;

  /// A snapshot, for tests and hints. Cost: a load.
  SleepCounts counts() const noexcept;
  /// Workers without work: those that search, poll or are parked, and the reserve. A hint.
  unsigned idle() const noexcept;
  /// Whether the poller waits for a call, and how often an owner has called it; for tests.
  bool waits_for_call() const noexcept { return alarm_.is_asleep(); }
  std::uint64_t calls() noexcept;

 private:
  void wake_others(SleepCounts now, policy::FoundWork found = {}, Sleeper *self = nullptr) noexcept;
  void wake_parked(std::uint32_t most) noexcept;
  bool take_from_reserve() noexcept;
  [[gnu::noinline]] void call_poller() noexcept;
  void exclude_waker(Sleeper &self) noexcept;

  SleepWord<HardwareAtoms, Sleeper> word_;
  std::atomic<unsigned> reserve_{
      0};  // relaxed: taken by compare-exchange, raised before the start's first helper exists
  bool (*start_one_)() noexcept = nullptr;  // written before reserve_ is raised
  std::mutex mutex_;                        // the list, and the transitions into and out of it
  Sleeper *poller_ = nullptr;
  std::atomic<int> attached_at_{-1};  // the processor where a thread attached last; a hint, relaxed
  std::atomic<bool> closed_{false};   // written under mutex_; relaxed elsewhere: a hint
  std::uint64_t calls_ = 0;           // guarded by mutex_
  Alarm<HardwareAtoms>
      alarm_;  // set and reset under the mutex by the poller; owners take it without
};

/// The process's sleep state; never destroyed.
Sleep &sleep() noexcept;

}  // namespace nopal

#endif
