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

/// Last in, first out: the order in which a lone worker would pop them, so few stacks are suspended
/// at once.
class ReadyList {
 public:
  void put(Ready ready) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      list_.push_back(ready);
    } catch (const std::bad_alloc &) {
      fatal(
          "cannot allocate memory for CILK_CHAOS's list of %zu continuations; lower its "
          "probability",
          list_.size());
    }
    size_.store(list_.size(), std::memory_order_relaxed);
  }
  Ready take() noexcept {
    if (size_.load(std::memory_order_relaxed) == 0) return {};  // hint; the caller comes again
    const std::lock_guard lock(mutex_);
    if (list_.empty()) return {};
    const Ready youngest = list_.back();
    list_.pop_back();
    size_.store(list_.size(), std::memory_order_relaxed);
    return youngest;
  }

  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::vector<Ready> list_;
  std::atomic<std::size_t> size_{0};  // written under the mutex
};

[[clang::no_destroy]] constinit ReadyList the_ready_list;
ReadyList &ready_list() noexcept { return the_ready_list; }

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
    ready_list().put({frame, floating_point, path.depth_below(frame), worker.own_mark()});
}

void lock_list() noexcept { ready_list().lock(); }
void unlock_list() noexcept { ready_list().unlock(); }

Ready take_ready() noexcept { return ready_list().take(); }

}  // namespace nopal::chaos
