/* The bags of one rank while Nopal's workers work on them, and what they and the thread that
 * speaks MPI say to each other.
 *
 * Used by <cilk/cluster.h> if a rank has more than one worker. Who does what when:
 * runtime/include/cilk/cluster/README.md, "Inside a rank". Checked by
 * tests/cluster/cluster_test.py.
 *
 * Edge table
 *   [D] demand_, arrivals_, is_hungry_: hints, relaxed. What they announce lies under mutex_.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_POOL_H
#define CILK_CLUSTER_POOL_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cilk.h"
#include "cilk_api.h"
#include "cluster/balance.h"

namespace cilk::detail {

/// How many steps of a bag take about as long as a chunk shall.
class chunk_size {
 public:
  explicit chunk_size(double chunk_seconds, double step_seconds)
      : chunk_seconds_(chunk_seconds), is_fixed_(step_seconds > 0) {
    if (is_fixed_) steps_ = limited(chunk_seconds / step_seconds);
  }
  std::size_t steps() const { return steps_; }
  /// The last chunk made `steps` in `seconds`.
  void took(std::size_t steps, double seconds) {
    if (is_fixed_ || steps == 0) return;
    const double wanted = chunk_seconds_ * static_cast<double>(steps) / (seconds + 1e-9);
    // At most twice as many as the last time: a fast start says little of what follows.
    const double most = 2 * static_cast<double>(steps_);
    steps_ = limited(wanted < most ? wanted : most);
  }

 private:
  static std::size_t limited(double steps) {
    return steps < 1 ? 1 : steps > 1e9 ? 1000000000 : static_cast<std::size_t>(steps);
  }
  double chunk_seconds_;
  bool is_fixed_;
  std::size_t steps_ = 1;
};

/// Some of the bag's work, or none. A split that leaves nothing is taken back: else workers and
/// ranks would pass all of the work on without an end.
template <class Bag>
std::optional<Bag> part_of(Bag &bag) {
  Bag part = bag.split();
  if (part.empty()) return std::nullopt;
  if (!bag.empty()) return part;
  bag.merge(std::move(part));
  return std::nullopt;
}

/// Bag: see <cilk/cluster.h>.
template <class Bag>
class cluster_pool {
 public:
  using result_type = typename Bag::result_type;

  cluster_pool(double chunk_seconds, Bag first) : chunk_seconds_(chunk_seconds) {
    if (!first.empty()) inbox_.push_back(std::move(first));
    arrivals_.store(inbox_.size(), std::memory_order_relaxed);
  }

  // ---- The calling thread. ----

  /// Works, with all workers, until finish(). Returns the rank's result.
  result_type work_until_finished() {
    while (std::optional<Bag> bag = wait_for_bag()) work(std::move(*bag));
    return result_ ? std::move(*result_) : result_type{};
  }

  // ---- The thread that speaks MPI. ----

  void put(Bag bag) {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(bag));
    is_hungry_.store(false, std::memory_order_relaxed);
    arrivals_.store(inbox_.size(), std::memory_order_relaxed);  // [D]
    work_has_come_.notify_one();
  }
  /// A bag that a worker has split for another rank, if there is one.
  std::optional<Bag> take_split() {
    const std::lock_guard lock(mutex_);
    return pop(outbox_);
  }
  /// Ranks that wait for work.
  void set_demand(std::size_t thieves) {
    demand_.store(thieves, std::memory_order_relaxed);  // [D]
  }
  /// Empty is exact: no strand works, and no bag waits. The rest are hints.
  pool_state state() {
    const std::lock_guard lock(mutex_);
    if (is_waiting_ && inbox_.empty() && outbox_.empty()) return pool_state::empty;
    return is_hungry_.load(std::memory_order_relaxed) ? pool_state::hungry : pool_state::busy;
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
    work_has_come_.notify_one();
  }
  /// Sleeps until a worker has split a bag, the pool is empty, or `limit` is over.
  void wait(std::chrono::microseconds limit) {
    std::unique_lock lock(mutex_);
    event_.wait_for(lock, limit, [this] { return is_event_; });
    is_event_ = false;
  }
  std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  double busy_seconds() const {
    return 1e-9 * static_cast<double>(busy_ns_.load(std::memory_order_relaxed));
  }

 private:
  using clock = std::chrono::steady_clock;

  // A strand: works on a bag, and shares it while others have none. What a bag throws ends the
  // process, and so the run: its work would be missing in the result.
  void work(Bag bag) noexcept {
    result_type mine{};
    chunk_size chunk(chunk_seconds_, 0);
    for (;;) {
      const auto begin = clock::now();
      const std::size_t steps = bag.process(chunk.steps(), mine);
      const auto took = clock::now() - begin;
      chunk.took(steps, std::chrono::duration<double>(took).count());
      steps_.fetch_add(steps, std::memory_order_relaxed);
      busy_ns_.fetch_add(static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count()),
                         std::memory_order_relaxed);
      if (arrivals_.load(std::memory_order_relaxed) != 0)  // [D]
        if (std::optional<Bag> come = take_inbox()) bag.merge(std::move(*come));
      if (bag.empty()) break;
      if (demand_.load(std::memory_order_relaxed) != 0) split_for_others(bag);  // [D]
      if (nopal_idle_workers() != 0) {
        if (std::optional<Bag> part = part_of(bag))
          cilk_spawn work(std::move(*part));
        else
          is_hungry_.store(true, std::memory_order_relaxed);  // [D]
      }
    }
    fold(mine);
  }

  void split_for_others(Bag &bag) {
    std::optional<Bag> part = part_of(bag);
    if (!part) return;
    const std::lock_guard lock(mutex_);
    outbox_.push_back(std::move(*part));
    if (demand_.load(std::memory_order_relaxed) != 0)
      demand_.fetch_sub(1, std::memory_order_relaxed);
    tell();
  }
  std::optional<Bag> take_inbox() {
    const std::lock_guard lock(mutex_);
    std::optional<Bag> bag = pop(inbox_);
    arrivals_.store(inbox_.size(), std::memory_order_relaxed);
    return bag;
  }
  std::optional<Bag> wait_for_bag() {
    std::unique_lock lock(mutex_);
    is_waiting_ = true;
    tell();
    work_has_come_.wait(lock, [this] { return is_finished_ || !inbox_.empty(); });
    if (inbox_.empty()) return std::nullopt;
    is_waiting_ = false;
    std::optional<Bag> bag = pop(inbox_);
    arrivals_.store(inbox_.size(), std::memory_order_relaxed);
    return bag;
  }
  static std::optional<Bag> pop(std::vector<Bag> &bags) {
    if (bags.empty()) return std::nullopt;
    std::optional<Bag> last = std::move(bags.back());
    bags.pop_back();
    return last;
  }
  // Not under the mutex: a reduction may spawn, and go on in another thread.
  void fold(result_type &mine) {
    while (std::optional<result_type> other = leave_result(mine)) {
      Bag::reduce(*other, mine);
      mine = std::move(*other);
    }
  }
  // Leaves `mine`, unless another one is there: then takes that.
  std::optional<result_type> leave_result(result_type &mine) {
    const std::lock_guard lock(mutex_);
    std::optional<result_type> other = std::exchange(result_, std::nullopt);
    if (!other) result_ = std::move(mine);
    return other;
  }
  void tell() {  // under mutex_
    is_event_ = true;
    event_.notify_one();
  }

  const double chunk_seconds_;
  std::mutex mutex_;
  std::condition_variable work_has_come_, event_;
  // Under mutex_.
  std::vector<Bag> inbox_, outbox_;
  std::optional<result_type> result_;  // of strands that have ended; none while one reduces
  bool is_waiting_ = false;
  bool is_finished_ = false;
  bool is_event_ = false;
  // Hints and counts.
  std::atomic<std::size_t> demand_{0}, arrivals_{0};
  std::atomic<bool> is_hungry_{false};
  std::atomic<std::uint64_t> steps_{0}, busy_ns_{0};
};

}  // namespace cilk::detail

#endif
