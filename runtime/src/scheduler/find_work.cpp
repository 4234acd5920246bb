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

// The poller's pauses grow with the time that it has found nothing, so that it overlooks new work for a small part of that time at most.
constexpr std::chrono::nanoseconds kFirstPoll{100'000};
constexpr std::chrono::nanoseconds kLongestPoll{2'000'000};
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

nopal_frame *try_steal(Worker &thief, std::uint32_t slots) noexcept {
  const std::uint32_t index = thief.victims.next(slots);
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
    if (nopal_frame *frame = try_steal(thief, slots)) return frame;
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

/// polling: until work is found (then working), or nobody is attached any more (then searching), or the runtime stops (then gone).
nopal_frame *poll(Worker &worker) noexcept {
  std::chrono::nanoseconds pause = kFirstPoll;
  while (!is_stopping()) {
    sleep().wait_polling(worker.sleeper, pause);
    if (nopal_frame *frame = try_round(worker)) {
      sleep().poller_found_work();
      return frame;
    }
    if (sleep().poller_may_park(worker.sleeper)) {
      sleep().wait_parked(worker.sleeper);
      return nullptr;
    }
    pause = std::min(pause + pause / kPartOfIdleTime, kLongestPoll);
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
