// All workers, and the helper threads that have none: who runs what.
//
// Used by attach, by the worker's loop when a worker changes hands, by start and stop, by thieves
// (worker()), by statistics. Invariants: README.md. Checked by tests/stress.
//
// Edge table
//   [O] orphans, how many: a hint, relaxed; the frames are those of waiting workers, under the
//   mutex. [H] unheld workers, how many: a hint, relaxed; they are in the list, under the mutex.
//   [T] worker table: creator stores the worker, then the count (release) -> thief loads the count
//   (acquire), then the worker: a made worker.
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

/// Workers at most: helpers and threads attached at the same time.
inline constexpr std::uint32_t kRegistryCapacity = 8192;

class WorkerRegistry {
 public:
  /// How many workers there are, held or not. Any thread.
  std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }  // [T]
  /// How many of them somebody holds, or is to hold soon; a hint. Any thread. Cost: two loads.
  std::uint32_t held_count() const noexcept {
    const std::uint32_t unheld =
        unheld_count_.load(std::memory_order_relaxed);  // [H]; first, since count() only grows
    return count() - unheld;
  }
  /// A worker, `index` < count(). Any thread.
  Worker &worker(std::uint32_t index) const noexcept {
    return *table_[index].load(std::memory_order_relaxed);
  }  // [T]

  /// A worker that nobody holds: one given back, or a new one of the given kind. Returns null if
  /// there is no memory for one, or there are kRegistryCapacity.
  Worker *take_worker(stats::WorkerKind kind) noexcept;
  /// Gives a worker back that the caller no longer holds. Its deque is empty.
  void put_worker(Worker &worker) noexcept;

  /// Lets a spare helper thread run the worker, and creates one if there is none. If the system
  /// refuses, the worker waits for the next thread that becomes spare, what it was to resume first
  /// goes to take_ownerless_frame(), and the answer is false; a warning says so once. The caller no
  /// longer holds the worker. Cost: a mutex, and a wake-up or the creation of a thread.
  bool hand_to_helper(Worker &worker) noexcept;
  /// A frame that a worker without a thread was to resume, or null. Any helper thread that looks
  /// for work, and resumes it. Cost: a load if there is none.
  nopal_frame *take_ownerless_frame() noexcept;
  /// Makes sure that there is a helper thread at all. Returns false if the system refuses.
  bool ensure_helper() noexcept;
  /// A helper thread without a worker waits for one. Returns null if the thread is to end.
  Worker *wait_for_worker(Thread &spare) noexcept;

  /// Tells all spare helper threads, now and in future, to end, and waits until all have; they give
  /// their workers back.
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

  std::array<std::atomic<Worker *>, kRegistryCapacity> table_{};
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> ownerless_frames_{0};  // changed under the mutex
  std::atomic<std::uint32_t> unheld_count_{0};      // changed under the mutex

  mutable std::mutex mutex_;   // guards what follows
  Worker *unheld_ = nullptr;   // workers that were given back, last in first out
  Worker *waiting_ = nullptr;  // workers that should run and have no thread
  Thread *spares_ = nullptr;   // last in, first out
  std::vector<pthread_t> helpers_;
  bool ending_ = false;
  bool refusal_was_said_ = false;
};

/// The process's registry.
WorkerRegistry &registry() noexcept;

/// What a helper thread runs; the argument is the worker it begins with, or null. Defined in
/// scheduler/helper_thread.cpp.
void *helper_main(void *worker) noexcept;

}  // namespace nopal

#endif
