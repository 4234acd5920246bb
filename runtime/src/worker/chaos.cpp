// See chaos.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chaos.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "registry.h"
#include "segments.h"

#include <atomic>
#include <mutex>
#include <new>
#include <vector>

namespace nopal::chaos {
namespace {

/// A list for each worker, last in, first out: the order in which it would pop them, so few stacks
/// are suspended at once. A worker takes from its own first. Else threads that spawn for ever, or
/// children that block, would hold up another thread, whose worker is there for it alone.
class ReadyLists {
 public:
  void put(std::uint32_t worker, Ready ready) noexcept {
    const std::lock_guard lock(mutex_);
    const std::size_t size = size_.load(std::memory_order_relaxed);
    try {
      if (lists_.size() <= worker) lists_.resize(worker + 1);
      lists_[worker].push_back(ready);
    } catch (const std::bad_alloc &) {
      fatal(
          "CILK_CHAOS: cannot allocate memory for a list of %zu continuations; lower its "
          "probability",
          size);
    }
    size_.store(size + 1, std::memory_order_relaxed);
  }
  Ready take(std::uint32_t worker) noexcept {
    if (size_.load(std::memory_order_relaxed) == 0) return {};  // hint; the caller comes again
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      std::vector<Ready> &list = lists_[(worker + k) % lists_.size()];
      if (list.empty()) continue;
      const Ready youngest = list.back();
      list.pop_back();
      size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
      return youngest;
    }
    return {};
  }

  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::vector<std::vector<Ready>> lists_;  // by the worker that lost them
  std::atomic<std::size_t> size_{0};       // of all; written under the mutex
};

[[clang::no_destroy]] constinit ReadyLists the_ready_lists;
ReadyLists &ready_lists() noexcept { return the_ready_lists; }

constexpr std::uint32_t kPushesBetweenAttempts =
    1024;  // asking the system at each push would take all the time

std::atomic<bool> is_refused{false};  // no helper thread to run what is taken; relaxed: never reset

}  // namespace

bool is_on() noexcept {
  return config().chaos.enabled && !is_refused.load(std::memory_order_relaxed);
}

void turn_off() noexcept { is_refused.store(true, std::memory_order_relaxed); }

void maybe_steal_from(Worker &worker) noexcept {
  if (!is_on() || !worker.chaos_random.chance(config().chaos.probability)) return;
  if (!registry().ensure_helper()) {
    warn("CILK_CHAOS is off: it needs a second thread");
    turn_off();
    return;
  }
  // The worker will leave its stack. Without a segment, it might never run what was taken.
  if (worker.chaos_pause != 0) {
    --worker.chaos_pause;
    return;
  }
  if (!reserve_segment(worker.segments)) {
    worker.chaos_pause = kPushesBetweenAttempts;
    return;
  }
  const std::uint64_t floating_point =
      worker.floating_point.load(std::memory_order_relaxed);  // ours
  const Path path = worker.path.get();                        // ours
  while (nopal_frame *frame = worker.deque.local().drain_oldest())
    ready_lists().put(worker.index,
                      {frame, floating_point, path.depth_below(frame), worker.own_mark()});
}

void lock_lists() noexcept { ready_lists().lock(); }
void unlock_lists() noexcept { ready_lists().unlock(); }

Ready take_ready(const Worker &worker) noexcept { return ready_lists().take(worker.index); }

}  // namespace nopal::chaos
