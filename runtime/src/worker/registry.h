// All workers, and the helper threads: which thread runs which worker.
//
// Used by attach and detach, by the worker loop when a worker changes hands, by start and stop, by
// thieves (worker()) and by the statistics. Invariants: README.md. Checked by tests/stress.
//
// Edge table
//   [O] number of ownerless frames: a hint, relaxed; the mutex guards the frames.
//   [H] number of unheld workers: a hint, relaxed; the mutex guards the list.
//   [T] table: the creator stores the worker, then the count (release) -> a thief loads the count
//       (acquire), then the worker, which is complete.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_REGISTRY_H
#define NOPAL_WORKER_REGISTRY_H

#include "thread.h"

#include <pthread.h>
#include <signal.h>

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
  /// How many of them a thread holds, or will hold soon; a hint. Any thread. Cost: two loads.
  std::uint32_t held_count() const noexcept {
    const std::uint32_t unheld =
        unheld_count_.load(std::memory_order_relaxed);  // [H]; first, since count() only grows
    return count() - unheld;
  }
  /// Where count() and the table of pointers to workers are, for process/live.h.
  const void *count_address() const noexcept { return &count_; }
  const void *table_address() const noexcept { return table_.data(); }
  /// A worker, `index` < count(). Any thread.
  Worker &worker(std::uint32_t index) const noexcept {
    return *table_[index].load(std::memory_order_relaxed);
  }  // [T]

  /// An unheld worker, or a new one of the given kind. Null if there is no memory for one, or there
  /// are kRegistryCapacity.
  Worker *take_worker(stats::WorkerKind kind) noexcept;
  /// The caller's former worker, whose deque is empty, is unheld from now on.
  void put_worker(Worker &worker) noexcept;

  /// Lets a spare helper thread run the worker, which the caller no longer holds; creates a helper
  /// if none is spare. Returns false if the system refuses one: then the worker waits for the next
  /// thread that becomes spare, take_ownerless_frame() finds the frame that it would have resumed
  /// first, and a warning is printed once. Cost: a mutex, and a wake-up or the creation of a
  /// thread.
  bool hand_to_helper(Worker &worker) noexcept;
  /// A frame that a worker without a thread would have resumed, or null. Caller: a helper thread
  /// that looks for work, and resumes it. Cost: a load if there is none.
  nopal_frame *take_ownerless_frame() noexcept;
  /// Makes sure that a helper thread exists. Returns false if the system refuses one.
  bool ensure_helper() noexcept;
  /// A helper thread without a worker waits for one. Returns null if the thread is to end.
  Worker *wait_for_worker(Thread &spare) noexcept;

  /// Tells all spare helper threads, now and in future, to end, and waits until all have.
  void join_helpers() noexcept;
  /// Around fork(): no change is in progress.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  /// In a forked process, which has no helpers. Under lock(). The workers that they held stay held,
  /// but all apart from `own`, which may be null, have no path.
  void forget_helpers_locked(const Worker *own) noexcept;
  /// The calling helper blocks what the program's thread did that created the first one. Under
  /// lock(), in a forked process.
  void unblock_signals_locked() const noexcept;
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
  Worker *unheld_ = nullptr;   // last in, first out
  Worker *waiting_ = nullptr;  // should run, and have no thread
  Thread *spares_ = nullptr;   // last in, first out
  std::vector<pthread_t> helpers_;
  bool ending_ = false;
  bool refusal_was_said_ = false;
  bool has_blocked_signals_ = false;
  sigset_t blocked_signals_{};  // of the program's thread that created the first helper
};

/// The process's registry.
WorkerRegistry &registry() noexcept;

/// The main function of a helper thread; the argument is its first worker, or null. Defined in
/// scheduler/helper_thread.cpp, since it runs the worker loop.
void *helper_main(void *worker) noexcept;

}  // namespace nopal

#endif
