// See find_work.h.
#include "find_work.h"

#include "../chaos/chaos.h"
#include "../worker/floating_point.h"
#include "../worker/roster.h"
#include "runtime.h"

#include <sched.h>

#include <algorithm>
#include <chrono>

#ifdef NOPAL_THIEF_FENCES // a header: benchmarks/steals compiles this file once more, with fences and a clock of its own
#include NOPAL_THIEF_FENCES
#endif

namespace nopal {
namespace {

#ifndef NOPAL_THIEF_FENCES
struct ThiefFences : HardwareAtoms {
  static void attempt_begins() noexcept {}
};
#endif

// A search: rounds of attempts with growing pauses between them. Its length is about what it costs to sleep and to be found asleep, so that
// who enters one short region after the other finds thieves awake.
constexpr std::uint64_t kSearchNs = 100'000;
constexpr int kRoundsBeforeYield = 6; // pauses of 2^round spins, then sched_yield: with few cores others need ours

// The poller waits for a call. It looks by itself once in a while, for the push that may be overlooked (sleep/README.md).
constexpr std::chrono::nanoseconds kLongestWait{20'000'000};

// After a call for nothing it cannot be called for a pause, which grows with the time that it has found nothing: it costs those who push a small part
// of their time at most, and overlooks new work for a small part of its own.
constexpr std::chrono::nanoseconds kFirstPause{100'000};
constexpr std::chrono::nanoseconds kLongestPause{2'000'000};
constexpr int kPartOfIdleTime = 32;

constexpr std::uint32_t kMaxAttemptsPerRound = 64;

/// The continuation in `frame` is ours, and what it runs with is `floating_point`.
nopal_frame *take_over(Worker &thief, nopal_frame *frame, std::uint64_t floating_point) noexcept {
  thief.counters.steals.add();
  if (floating_point != thief.floating_point.load(std::memory_order_relaxed)) { // ours: set in this thread, too
    set_floating_point_control(floating_point);
    thief.floating_point.store(floating_point, std::memory_order_relaxed); // thieves: see Worker
  }
  return frame;
}

nopal_frame *try_steal_from(std::uint32_t index, Worker &thief) noexcept {
  Worker &victim = roster().slot(index);
  thief.counters.attempts.add();
  ThiefFences::attempt_begins();
  const std::uint64_t floating_point = victim.floating_point.load(std::memory_order_relaxed);
  const auto [outcome, frame] = victim.deque.steal().steal<ThiefFences>(&thief);
  thief.victims.learn(index, outcome);
  switch (outcome) {
  case StealOutcome::kStolen:
    return take_over(thief, frame, floating_point);
  case StealOutcome::kEmpty:
    thief.counters.failed_empty.add();
    return nullptr;
  case StealOutcome::kLostRace:
    thief.counters.failed_lost_race.add();
    return nullptr;
  }
  __builtin_unreachable();
}

/// Looks at the ready list and at about as many victims as there are.
nopal_frame *try_round(Worker &thief) noexcept {
  if (const chaos::Ready ready = chaos::take_ready(); ready.frame != nullptr) return take_over(thief, ready.frame, ready.floating_point);
  const std::uint32_t slots = roster().slots();
  if (slots < 2) return nullptr;
  for (std::uint32_t attempts = std::min(slots, kMaxAttemptsPerRound); attempts > 0; --attempts)
    if (nopal_frame *frame = try_steal_from(thief.victims.next(slots), thief)) return frame;
  return nullptr;
}

void back_off(int round) noexcept {
  if (round >= kRoundsBeforeYield) {
    sched_yield();
    return;
  }
  for (int spin = 1 << round; spin > 0; --spin) HardwareAtoms::spin_pause();
}

/// searching: until work is found (then working), or the rounds are over (still searching).
nopal_frame *search(Worker &worker) noexcept {
  const std::uint64_t begun = stats::now_ns();
  for (int round = 0; !is_stopping(); ++round) {
    if (nopal_frame *frame = try_round(worker)) {
      sleep().found_work();
      return frame;
    }
    if (round >= kRoundsBeforeYield && stats::now_ns() - begun > kSearchNs) break;
    back_off(round);
  }
  return nullptr;
}

struct Look {
  nopal_frame *frame; // what was found, or null
  bool is_busy;       // there was something, or somebody has called
};

/// Looks at the ready list and at each deque, once.
Look look_everywhere(Worker &worker) noexcept {
  if (const chaos::Ready ready = chaos::take_ready(); ready.frame != nullptr) return {take_over(worker, ready.frame, ready.floating_point), true};
  bool is_busy = false;
  for (std::uint32_t index = 0; index < roster().slots(); ++index) {
    if (index == worker.index || !roster().slot(index).deque.steal().is_stealable()) continue;
    is_busy = true;
    if (nopal_frame *frame = try_steal_from(index, worker)) return {frame, true};
  }
  return {nullptr, is_busy};
}

/// polling: until called or for kLongestWait. The order of the steps matters: sleep/README.md.
Look watch(Worker &worker) noexcept {
  if (!sleep().set_alarm(worker.sleeper)) return {nullptr, false}; // the runtime stops
  for (std::uint32_t index = 0; index < roster().slots(); ++index) roster().slot(index).deque.make_next_push_slow();
  sleep().pushes_are_slow();
  const Look before = look_everywhere(worker);
  if (!before.is_busy) sleep().wait_polling(worker.sleeper, kLongestWait);
  const bool was_called = sleep().reset_alarm(worker.sleeper);
  if (before.frame != nullptr || !was_called) return before;
  return {look_everywhere(worker).frame, true};
}

/// polling: until work is found (then working), or nobody is attached any more (then searching), or the runtime stops (then gone).
nopal_frame *poll(Worker &worker) noexcept {
  std::chrono::nanoseconds pause = kFirstPause;
  while (!is_stopping()) {
    const auto [frame, is_busy] = watch(worker);
    if (frame != nullptr) {
      sleep().poller_found_work();
      return frame;
    }
    if (sleep().poller_may_park(worker.sleeper)) {
      sleep().wait_parked(worker.sleeper);
      return nullptr;
    }
    if (is_busy) {
      sleep().wait_polling(worker.sleeper, pause);
      pause = std::min(pause + pause / kPartOfIdleTime, kLongestPause);
    } else {
      pause = kFirstPause;
    }
  }
  sleep().stop_polling();
  sleep().start_search(); // so that every return without a frame is from the same state
  return nullptr;
}

} // namespace

nopal_frame *find_work(Worker &worker) noexcept {
  stats::WorkerCounters &counters = worker.counters;
  counters.enter(stats::Activity::kStealing, stats::now_ns());
  sleep().start_search();
  nopal_frame *frame = nullptr;
  while ((frame = search(worker)) == nullptr) {
    if (is_stopping()) {
      sleep().stop_search();
      break;
    }
    const Sleep::Rest rest = sleep().rest(worker.sleeper);
    if (rest == Sleep::Rest::kStop) break;
    counters.parks.add();
    counters.enter(stats::Activity::kParked, stats::now_ns());
    if (rest == Sleep::Rest::kPark)
      sleep().wait_parked(worker.sleeper);
    else if ((frame = poll(worker)) != nullptr)
      break;
    counters.enter(stats::Activity::kStealing, stats::now_ns());
  }
  counters.enter(stats::Activity::kWorking, stats::now_ns());
  return frame;
}

} // namespace nopal
