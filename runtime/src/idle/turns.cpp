// See turns.h.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [allotment] written by the thread. Relaxed: a number that a worker may read late; then it
//       works, or waits, for a millisecond longer.
//   [waiting] relaxed: a number, to which each worker adds itself and from which it takes itself
//       away, and a flag of each worker. The thread may see one of them late; then it counts a
//       worker wrongly until its next update.
//   [call] the thread's increment of the futex word before it wakes: who has read the older value
//       does not fall asleep. Who misses a call waits for kLongestTurnWait at most.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turns.h"

#include "../config/config.h"
#include "../platform/background_thread.h"
#include "../platform/clock.h"
#include "../platform/fatal.h"
#include "../platform/futex.h"
#include "../worker/activity.h"
#include "../worker/registry.h"
#include "active.h"
#include "constants.h"
#include "programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace nopal::turns {
namespace {

constinit std::atomic<std::uint32_t> allotted{kUnlimited};
constinit std::atomic<bool> others_are_there{false};
constinit std::atomic<std::uint32_t> blocked_workers{0};
constinit std::atomic<std::uint32_t> waits{0};
constinit std::atomic<std::uint32_t> calls{0};  // a futex

// Never destroyed: their threads may still look at them while the process exits.
Programs &programs() noexcept {
  static Programs *const the_programs = new Programs;
  return *the_programs;
}
BackgroundThread &thread() noexcept {
  static BackgroundThread *const the_thread = new BackgroundThread;
  return *the_thread;
}

std::uint32_t blocked() noexcept {
  return blocked_workers.load(std::memory_order_relaxed);  // [allotment]
}

/// What a program says of itself. For the thread that takes turns.
class Self {
 public:
  /// Now. Since the last call it had all processors, or not.
  policy::Program sample(std::uint64_t now, bool has_all) noexcept {
    std::uint64_t working_ns = 0;
    for (std::uint32_t index = 0; index < registry().count(); ++index)
      working_ns += registry().worker(index).counters.time_ns(stats::Activity::kWorking, now);
    // Not at the start, and not in the millisecond after a change: then workers come and go.
    // Readings of times that change may be wrong.
    const bool is_start = sampled_ns_ - begun_ns_ < kTurnStartNs;
    if (!has_all)
      filled_.hold_up(now - sampled_ns_);
    else if (!is_start && had_all_before_)
      filled_.add(working_ns - std::min(working_ns, working_ns_), now - sampled_ns_);
    had_all_before_ = has_all;
    working_ns_ = working_ns;
    sampled_ns_ = now;
    const std::uint32_t active = active_workers();
    return {.level = policy::level_of(clock_ns(CLOCK_PROCESS_CPUTIME_ID)),
            .filled = filled_.said(),
            .wanted = static_cast<std::uint16_t>(active - std::min(active, blocked())),
            .begun_ns = begun_ns_,
            .process = getpid()};
  }

  /// Counts the workers that work, and whose threads wait for something else than their turn: now
  /// and then, since it costs a system call each.
  void count_blocked(std::uint64_t now) noexcept {
    if (now - counted_ns_ < kBlockedNs / 4) return;
    counted_ns_ = now;
    std::uint32_t count = 0;
    for (std::uint32_t index = 0; index < registry().count(); ++index) {
      Worker &worker = registry().worker(index);
      const bool is_still = worker.standstill.observe(now, worker.counters, kBlockedNs);
      if (is_still && !worker.waits_for_turn.load(std::memory_order_relaxed)) ++count;  // [waiting]
    }
    blocked_workers.store(count, std::memory_order_relaxed);  // [allotment]
  }

 private:
  const std::uint64_t begun_ns_ = now_ns();
  policy::Filled filled_{config().processors};
  bool had_all_before_ = false;
  std::uint64_t sampled_ns_ = begun_ns_;
  std::uint64_t working_ns_ = 0;
  std::uint64_t counted_ns_ = 0;
};

void set_allotment(std::uint32_t now) noexcept {
  allotted.store(now, std::memory_order_relaxed);  // [allotment]
  const std::uint32_t running = running_workers();
  if (running > now) {
    for (std::uint32_t index = 0; index < registry().count(); ++index)
      registry().worker(index).deque.make_next_push_slow();
  } else if (const std::uint32_t count = std::min(now - running, waiting()); count > 0) {
    calls.fetch_add(1, std::memory_order_release);  // [call]
    for (std::uint32_t i = 0; i < count; ++i) futex_wake_one(calls);
  }
}

/// Tells the others of this program, and adapts it to what they say. Returns when to do so again.
std::chrono::nanoseconds update_turns(Self &self) noexcept {
  const std::uint64_t now = now_ns();
  const std::uint32_t processors = config().processors;
  const bool has_all = waiting() == 0 && allotment() >= processors;
  self.count_blocked(now);
  const policy::Program own = self.sample(now, has_all);
  programs().say(own, now);  // if the list is full, the others do not know, and it knows of them
  const auto others = programs().others(now);
  others_are_there.store(!others.empty(), std::memory_order_relaxed);  // [allotment]
  set_allotment(policy::allotment(own, others, processors));
  return others.empty() ? kLookForPrograms : kTurnQuantum;
}

void take_turns(BackgroundThread &thread) noexcept {
  Self self;
  while (thread.wait(update_turns(self))) {
  }
  programs().leave();
  others_are_there.store(false, std::memory_order_relaxed);  // [allotment]
  blocked_workers.store(0, std::memory_order_relaxed);       // [allotment]
  set_allotment(kUnlimited);
}

/// Whether the caller, which waits, goes on: since its turn has come, or in any case.
bool may_go_on(bool in_any_case) noexcept {
  std::uint32_t count = waiting();
  while (in_any_case || running_workers() < allotment()) {
    if (count == 0) return true;  // in a forked process
    const bool goes_on =
        waits.compare_exchange_weak(count, count - 1, std::memory_order_relaxed);  // [waiting]
    if (goes_on) return true;
  }
  return false;
}

/// Said once. Under lifecycle().
void refuse_to_start(const char *what, int error) noexcept {
  static bool was_said = false;
  if (!std::exchange(was_said, true))
    warn("CILK_ADAPT=turns: cannot %s: %s; this program takes no turns", what,
         std::strerror(error));
}

}  // namespace

std::uint32_t allotment() noexcept {
  return allotted.load(std::memory_order_relaxed);  // [allotment]
}
bool has_others() noexcept {
  return others_are_there.load(std::memory_order_relaxed);  // [allotment]
}
std::uint32_t waiting() noexcept {
  return waits.load(std::memory_order_relaxed);  // [waiting]
}

std::uint32_t running_workers() noexcept {
  const std::uint32_t active = active_workers();
  return active - std::min(active, waiting() + blocked());
}

int open_list(const std::string &name) noexcept { return programs().open(name); }

void start() noexcept {
  if (config().adapt != Config::Adapt::kTurns) return;
  try {
    if (const int refused = open_list(Programs::default_name()); refused != 0)
      return refuse_to_start("open the list of programs in shared memory", refused);
  } catch (const std::bad_alloc &) {
    return refuse_to_start("open the list of programs", ENOMEM);
  }
  if (const int refused = thread().start("nopal turns", take_turns); refused != 0)
    return refuse_to_start("create a thread", refused);
  static const bool ends_at_exit = std::atexit([] { thread().finish(); }) == 0;
  if (!ends_at_exit)
    warn("CILK_ADAPT=turns: no atexit handler is left; others notice late that this program ends");
}

void stop() noexcept { thread().stop(); }

void forget() noexcept {
  others_are_there.store(false, std::memory_order_relaxed);  // [allotment]
  blocked_workers.store(0, std::memory_order_relaxed);       // [allotment]
  allotted.store(kUnlimited, std::memory_order_relaxed);     // [allotment]
  waits.store(0, std::memory_order_relaxed);                 // [waiting]
}

void wait_after_push(Worker &worker) noexcept {
  if (running_workers() <= allotment()) return;
  const std::uint64_t begun = now_ns();
  if (begun < worker.runs_until_ns) return;
  activity::waits_for_turn(worker, begun);
  worker.waits_for_turn.store(true, std::memory_order_relaxed);  // [waiting]
  waits.fetch_add(1, std::memory_order_relaxed);                 // [waiting]
  const std::uint64_t end = begun + static_cast<std::uint64_t>(kLongestTurnWait.count());
  std::uint64_t now = begun;
  for (;; now = now_ns()) {
    const std::uint32_t seen = calls.load(std::memory_order_acquire);  // [call]
    if (may_go_on(now >= end)) break;
    futex_wait(calls, seen, std::chrono::nanoseconds(end - now));
  }
  worker.waits_for_turn.store(false, std::memory_order_relaxed);  // [waiting]
  if (now >= end) worker.runs_until_ns = now + static_cast<std::uint64_t>(kTurnQuantum.count());
  activity::turn_comes(worker, begun, now);
}

}  // namespace nopal::turns
