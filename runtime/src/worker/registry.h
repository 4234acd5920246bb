// All slots, and the helper threads that have none: who runs what.
//
// Used by attach, by the worker's loop when a slot changes hands, by start and stop, by thieves
// (slot()), by statistics. Invariants: README.md. Checked by tests/stress.
//
// Edge table
//   [O] orphans, how many: a hint, relaxed; the frames are those of waiting slots, under the mutex.
//   [H] unheld slots, how many: a hint, relaxed; they are in the list, under the mutex.
//   [T] slot table: creator stores the slot, then the count (release) -> thief loads the count
//   (acquire), then the slot: a made slot.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_REGISTRY_H
#define NOPAL_WORKER_REGISTRY_H

#include "thread.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace nopal {

/// Slots at most: helpers and threads attached at the same time.
inline constexpr std::uint32_t kMaxSlots = 8192;

class Roster {
public:
  /// How many slots there are, held or not. Any thread.
  std::uint32_t slots() const noexcept { return count_.load(std::memory_order_acquire); }  // [T]
  /// How many of them somebody holds, or is to hold soon; a hint. Any thread. Cost: two loads.
  std::uint32_t held_slots() const noexcept {
    const std::uint32_t unheld = unheld_count_.load(std::memory_order_relaxed);  // [H]; first, since slots() only grows
    return slots() - unheld;
  }
  /// A slot, `index` < slots(). Any thread.
  Worker &slot(std::uint32_t index) const noexcept { return *table_[index].load(std::memory_order_relaxed); }  // [T]

  /// A slot that nobody holds: one given back, or a new one of the given kind. Returns null if there is no memory for one, or
  /// there are kMaxSlots.
  Worker *take_slot(stats::SlotKind kind) noexcept;
  /// Gives a slot back that the caller no longer holds. Its deque is empty.
  void put_slot(Worker &worker) noexcept;

  /// Lets a spare helper thread run the slot, and creates one if there is none. If the system refuses, the slot waits for the next thread
  /// that becomes spare, what it was to resume first goes to take_orphan(), and the answer is false; a warning says so once. The caller no longer
  /// holds the slot. Cost: a mutex, and a wake-up or the creation of a thread.
  bool hand_to_helper(Worker &worker) noexcept;
  /// A frame that a slot without a thread was to resume, or null. Any helper thread that looks for work, and resumes it. Cost: a load if there is none.
  nopal_frame *take_orphan() noexcept;
  /// Makes sure that there is a helper thread at all. Returns false if the system refuses.
  bool ensure_helper() noexcept;
  /// A helper thread without a slot waits for one. Returns null if the thread is to end.
  Worker *wait_for_slot(Thread &spare) noexcept;

  /// Tells all spare helper threads, now and in future, to end, and waits until all have; they give their slots back.
  void join_helpers() noexcept;
  /// Around fork(): nobody is in the middle of a change.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  /// In a forked process, which has none. Under lock(). What they held is held for ever.
  void forget_helpers_locked() noexcept;
  /// Helper threads now. Any thread.
  std::size_t helpers() const noexcept;

private:
  std::vector<pthread_t> tell_to_end() noexcept;
  bool create_helper_locked(Worker *worker) noexcept;
  void put_unheld_locked(Worker &worker) noexcept;

  std::array<std::atomic<Worker *>, kMaxSlots> table_{};
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> orphans_{0};  // changed under the mutex
  std::atomic<std::uint32_t> unheld_count_{0};  // changed under the mutex

  mutable std::mutex mutex_;  // guards what follows
  Worker *unheld_ = nullptr;  // slots that were given back, last in first out
  Worker *waiting_ = nullptr;  // slots that should run and have no thread
  Thread *spares_ = nullptr;  // last in, first out
  std::vector<pthread_t> helpers_;
  bool ending_ = false;
  bool refusal_was_said_ = false;
};

/// The process's roster.
Roster &roster() noexcept;

/// What a helper thread runs; the argument is the slot it begins with, or null. Defined in scheduler/helper_thread.cpp.
void *helper_main(void *worker) noexcept;

}  // namespace nopal

#endif
