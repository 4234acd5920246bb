// See find_work.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_work.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../stack/switch.h"
#include "../worker/chaos.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "sleep.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace nopal {
namespace {

// A search: rounds of attempts with growing pauses between them. It lasts about as long as a sleep
// and a wake-up take, so that a program with one short region after the other finds thieves awake.
constexpr std::uint64_t kSearchNs = 100'000;
constexpr int kRoundsBeforeYield =
    6;  // pauses of 2^round spins, then sched_yield: with few cores others need ours

// The poller waits for a call. It looks by itself once in a while, for the push that may be
// overlooked (README.md).
constexpr std::chrono::nanoseconds kLongestWait{20'000'000};

// After a call for nothing the poller cannot be called for a pause, which grows with the time in
// which it has found nothing. So it costs the owners a small part of their time at most, and
// overlooks new work for a small part of its own.
constexpr std::chrono::nanoseconds kFirstPause{100'000};
constexpr std::chrono::nanoseconds kLongestPause{2'000'000};
constexpr int kPartOfIdleTime = 32;

constexpr std::uint32_t kMaxAttemptsPerRound = 64;

/// The continuation in `frame` is ours; it runs with `floating_point`.
Stolen take_over(Worker &thief, nopal_frame *frame, std::uint64_t floating_point,
                 cactus::Depth depth) noexcept {
  thief.counters.steals.add();
  if (floating_point !=
      thief.floating_point.load(std::memory_order_relaxed)) {  // ours: set in this thread, too
    set_floating_point_control(floating_point);
    thief.floating_point.store(floating_point, std::memory_order_relaxed);  // thieves: see Worker
  }
  return {.frame = frame, .depth = depth};
}

/// `wants(path)`: whether the continuation is wanted; asked with a claim.
template <class Wants>
Stolen try_steal_from(std::uint32_t index, Worker &thief, Wants wants) noexcept {
  Worker &victim = registry().worker(index);
  thief.counters.attempts.add();
  std::uint64_t floating_point = 0;
  Path path;
  const auto [outcome, frame] = victim.deque.steal().steal(&thief, [&](const nopal_frame *) {
    floating_point = victim.floating_point.load(std::memory_order_relaxed);
    path = victim.path.get();
    return wants(path);
  });
  thief.victims.learn(index, outcome);
  switch (outcome) {
    case StealOutcome::kStolen:
      return take_over(thief, frame, floating_point, path.depth_below(frame));
    case StealOutcome::kEmpty:
      thief.counters.failed_empty.add();
      return {};
    case StealOutcome::kLostRace:
      thief.counters.failed_lost_race.add();
      return {};
  }
  __builtin_unreachable();
}

constexpr auto anywhere = [](const Path &) { return true; };

/// What lies in no deque: ready continuations of chaos, and ownerless frames.
Stolen take_from_lists(Worker &thief) noexcept {
  if (const chaos::Ready ready = chaos::take_ready(); ready.frame != nullptr)
    return take_over(thief, ready.frame, ready.floating_point, ready.depth);
  if (nopal_frame *frame = registry().take_ownerless_frame())
    return {.frame = frame, .is_exclusive = true};
  return {};
}

/// Looks at the lists and at about as many victims as there are.
Stolen try_round(Worker &thief) noexcept {
  if (const Stolen taken = take_from_lists(thief); taken.frame != nullptr) return taken;
  const std::uint32_t workers = registry().count();
  if (workers < 2) return {};
  for (std::uint32_t attempts = std::min(workers, kMaxAttemptsPerRound); attempts > 0; --attempts)
    if (const Stolen stolen = try_steal_from(thief.victims.next(workers), thief, anywhere);
        stolen.frame != nullptr)
      return stolen;
  return {};
}

void back_off(int round) noexcept {
  if (round >= kRoundsBeforeYield) {
    sched_yield();
    return;
  }
  for (int spin = 1 << round; spin > 0; --spin) HardwareAtoms::spin_pause();
}

/// searching: until work is found (then working), or the rounds are over (still searching).
Stolen search(Worker &worker) noexcept {
  const std::uint64_t begun = now_ns();
  for (int round = 0; !sleep().is_closed(); ++round) {
    if (const Stolen stolen = try_round(worker); stolen.frame != nullptr) {
      sleep().found_work(worker.sleeper);
      return stolen;
    }
    if (round >= kRoundsBeforeYield && now_ns() - begun > kSearchNs) break;
    back_off(round);
  }
  return {};
}

struct Look {
  Stolen stolen;  // what was found, or none
  bool is_busy;   // there was something, or an owner has called
};

/// Looks at the lists and at each deque, once.
Look look_everywhere(Worker &worker) noexcept {
  if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return {taken, true};
  bool is_busy = false;
  for (std::uint32_t index = 0; index < registry().count(); ++index) {
    if (index == worker.index || !registry().worker(index).deque.steal().is_stealable()) continue;
    is_busy = true;
    if (const Stolen stolen = try_steal_from(index, worker, anywhere); stolen.frame != nullptr)
      return {stolen, true};
  }
  return {{}, is_busy};
}

/// polling: until called, or for kLongestWait. The order of the steps matters: README.md.
Look watch(Worker &worker) noexcept {
  if (!sleep().set_alarm(worker.sleeper)) return {{}, false};  // the runtime stops
  for (std::uint32_t index = 0; index < registry().count(); ++index)
    registry().worker(index).deque.make_next_push_slow();
  sleep().pushes_are_slow();
  const Look before = look_everywhere(worker);
  if (!before.is_busy) sleep().wait_for_call(worker.sleeper, kLongestWait);
  const bool was_called = sleep().reset_alarm(worker.sleeper);
  if (before.stolen.frame != nullptr || !was_called) return before;
  return {look_everywhere(worker).stolen, true};
}

/// polling, after a call for nothing: sleeps for a pause. On return the lists had something, or the
/// caller watches, or has to stop.
Stolen rest_after_call(Worker &worker, std::chrono::nanoseconds &pause) noexcept {
  if (sleep().is_closed()) return {};
  sleep().rest_polling(worker.sleeper, pause);
  pause = std::min(pause + pause / kPartOfIdleTime, kLongestPause);
  return take_from_lists(worker);
}

// kLongestWait apart: a second.
constexpr int kLooksAtDeadEnd = 50;

/// The poller, after a look that found nothing and was not called: whether threads wait for frames
/// that will never be joined. All held workers poll or are parked, so no attached thread holds one:
/// each waits in wait_in_place. And nothing runs that they wait for (README.md, "A dead end").
bool is_dead_end() noexcept {
  const SleepCounts before = sleep().counts();
  const std::uint32_t held = registry().held_count();
  const SleepCounts now = sleep().counts();
  return now == before && now.attached > 0 && now.searching == 0 &&
         held == std::uint32_t{now.polling} + now.parked;
}

[[noreturn, gnu::cold]] void end_at_dead_end() noexcept {
  fatal(
      "all workers are idle, and the program waits for a continuation that is lost: a signal "
      "handler spawned in the midst of a spawn, or longjmp left a "
      "function that spawns; set a flag in the handler, and throw an exception instead of longjmp");
}

/// polling: until work is found (then working), or no thread is attached any more (then searching),
/// or the runtime stops (then gone). Rests before the first look.
Stolen poll(Worker &worker, std::chrono::nanoseconds rest) noexcept {
  if (rest > rest.zero()) {
    sleep().wait_polling(worker.sleeper, rest);
    worker.backoff.rest_ends(now_ns());
  }
  int looks_at_dead_end = 0;
  std::chrono::nanoseconds pause = kFirstPause;
  while (!sleep().is_closed()) {
    auto [stolen, is_busy] = watch(worker);
    if (stolen.frame == nullptr && is_busy) stolen = rest_after_call(worker, pause);
    if (stolen.frame != nullptr) {
      sleep().poller_found_work(worker.sleeper);
      return stolen;
    }
    if (sleep().poller_may_park(worker.sleeper)) {
      sleep().wait_parked(worker.sleeper);
      return {};
    }
    if (!is_busy) pause = kFirstPause;
    looks_at_dead_end = !is_busy && is_dead_end() ? looks_at_dead_end + 1 : 0;
    if (looks_at_dead_end == kLooksAtDeadEnd) end_at_dead_end();
  }
  sleep().stop_polling(worker.sleeper);
  sleep().start_search();  // so that every return without a frame is from the same state
  return {};
}

/// searching: what is not stolen from a worker, at once or not at all (still searching).
Stolen take_only_from_lists(Worker &worker) noexcept {
  const Stolen taken = take_from_lists(worker);
  if (taken.frame != nullptr) sleep().found_work(worker.sleeper);
  return taken;
}

/// searching, after the end of a path. If at least as many others work as there are processors, one
/// of them may wait for ours: a steal would speed nothing up. So we yield first, as thieves do with
/// Arora, Blumofe and Plaxton (SPAA 1998). A worker that was woken or started does not yield: it
/// may be confined to this processor (README.md, "Where a woken worker runs"), and all others may
/// be busy or blocked with no other watcher. Cost: three loads; a system call, and the turns of the
/// threads that wait. Why: docs/decisions/0023.
void give_way() noexcept {
  const SleepCounts now = sleep().counts();  // a hint
  if (registry().held_count() >=
      std::uint32_t{now.searching} + now.polling + now.parked + config().processors)
    sched_yield();
}

/// No path runs on the calling stack, and it may be long until the next.
void tidy() noexcept {
  const Stack *stack = this_thread().stack;
  if (stack != nullptr && stack->segment != nullptr)
    stack->segment->end_paths(__builtin_frame_address(0), kept_below());
}

}  // namespace

Stolen find_work(Worker &worker) noexcept {
  stats::WorkerCounters &counters = worker.counters;
  const std::uint64_t begun = now_ns();
  counters.enter(stats::Activity::kStealing, begun);
  worker.backoff.path_ends(begun);
  std::chrono::nanoseconds pause =
      chaos::is_on() ? std::chrono::nanoseconds{0} : worker.backoff.pause();
  if (!std::exchange(worker.is_searching, false)) {
    sleep().start_search();
    if (pause == pause.zero()) give_way();
  }
  Stolen stolen;
  while ((stolen = pause > pause.zero() ? take_only_from_lists(worker) : search(worker)).frame ==
         nullptr) {
    if (sleep().is_closed()) {
      sleep().stop_search(worker.sleeper);
      break;
    }
    tidy();
    const Sleep::Rest rest = sleep().rest(worker.sleeper);
    if (rest == Sleep::Rest::kStop) break;
    counters.parks.add();
    counters.enter(stats::Activity::kParked, now_ns());
    if (rest == Sleep::Rest::kPark)
      sleep().wait_parked(worker.sleeper);
    else if ((stolen = poll(worker, pause)).frame != nullptr)
      break;
    pause = pause.zero();
    counters.enter(stats::Activity::kStealing, now_ns());
  }
  const std::uint64_t found = now_ns();
  counters.enter(stats::Activity::kWorking, found);
  if (stolen.frame != nullptr) worker.backoff.path_begins(found);
  return stolen;
}

Stolen steal_below(Worker &worker, const nopal_frame *frame) noexcept {
  for (std::uint32_t index = 0, workers = registry().count(); index < workers; ++index) {
    Worker &other = registry().worker(index);
    if (other.path.origin() != frame || !other.deque.steal().is_stealable()) continue;  // hints
    const Stolen stolen =
        try_steal_from(index, worker, [frame](const Path &path) { return path.origin == frame; });
    if (stolen.frame != nullptr) return stolen;
  }
  return {};
}

bool is_work_visible() noexcept {
  for (std::uint32_t index = 0, workers = registry().count(); index < workers; ++index)
    if (registry().worker(index).deque.steal().is_stealable()) return true;
  return false;
}

}  // namespace nopal
