// See find_work.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_work.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../policy/many_workers.h"
#include "../stack/switch.h"
#include "../worker/activity.h"
#include "../worker/chaos.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "active.h"
#include "constants.h"
#include "feedback.h"
#include "sleep.h"
#include "turns.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace nopal {
namespace {

/// `taken` is ours. It runs with `floating_point`, in a path whose mark is `mark`.
Stolen take_over(Worker &thief, const Stolen &taken, std::uint64_t floating_point,
                 policy::Mark mark) noexcept {
  thief.counters.steals.add();
  if (floating_point !=
      thief.floating_point.load(std::memory_order_relaxed)) {  // ours: set in this thread, too
    set_floating_point_control(floating_point);
    thief.floating_point.store(floating_point, std::memory_order_relaxed);  // thieves: see Worker
  }
  thief.run_path_of(mark);
  return taken;
}

/// What a thief sees of its victim with a claim, and how its attempt ended.
struct Seen {
  policy::Outcome outcome = policy::Outcome::kEmpty;
  nopal_frame *frame = nullptr;  // stolen: the youngest
  std::uint64_t floating_point = 0;
  Path path;
  policy::Mark mark;
  stats::Strand::Begun strand;
};

policy::Outcome outcome_of(StealOutcome outcome) noexcept {
  switch (outcome) {
    case StealOutcome::kStolen:
      return policy::Outcome::kStolen;
    case StealOutcome::kEmpty:
      return policy::Outcome::kEmpty;
    case StealOutcome::kLostRace:
      return policy::Outcome::kLostRace;
  }
  __builtin_unreachable();
}

/// Into the thief's batch. `inspect` is asked with the claims.
template <class Inspect>
StealSeveralResult steal_several(Worker &victim, Worker &thief, policy::Amount amount,
                                 Inspect inspect) noexcept {
  Batch &batch = thief.batch;
  const StealSeveralResult result = victim.deque.steal().steal_several(
      &thief, batch.frames.data(), Batch::kMost,
      [amount](std::int64_t there) { return policy::taken_of(amount, there); }, inspect);
  batch.count = result.count;
  return result;
}

/// `wants(path)`: whether the continuation is wanted; asked with a claim.
template <class Wants>
Seen attempt(const policy::Choice &choice, Worker &thief, Wants wants) noexcept {
  Worker &victim = registry().worker(choice.victim);
  Seen seen;
  if (choice.is_steal_back() && victim.own_mark().owner() != choice.only_of) {
    // A hint, which spares the claim and its heavy fence. The look with the claim decides.
    seen.outcome = victim.deque.steal().is_stealable() ? policy::Outcome::kOthersWork
                                                       : policy::Outcome::kEmpty;
    return seen;
  }
  bool is_others_work = false;
  const auto inspect = [&](const nopal_frame *) {
    seen.floating_point = victim.floating_point.load(std::memory_order_relaxed);
    seen.path = victim.path.get();
    seen.mark = victim.own_mark();
    seen.strand = activity::strand_of(victim);
    is_others_work = choice.is_steal_back() && seen.mark.owner() != choice.only_of;
    return !is_others_work && wants(seen.path);
  };
  if (choice.amount == policy::Amount::kOldest) {
    const auto [outcome, frame] = victim.deque.steal().steal(&thief, inspect);
    seen.outcome = outcome_of(outcome);
    seen.frame = frame;
  } else {
    const auto [outcome, count] = steal_several(victim, thief, choice.amount, inspect);
    seen.outcome = outcome_of(outcome);
    Batch &batch = thief.batch;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      batch.depths[i] = seen.path.depth_below(batch.frames[i]);
    if (count > 0) seen.frame = batch.frames[static_cast<std::size_t>(count) - 1];
  }
  if (is_others_work && seen.outcome == policy::Outcome::kLostRace)
    seen.outcome = policy::Outcome::kOthersWork;
  return seen;
}

/// In the statistics.
void record_steal(const policy::Choice &choice, Worker &thief) noexcept {
  stats::WorkerCounters &counters = thief.counters;
  if (choice.is_steal_back()) counters.steal_backs.add();
  if (choice.is_drawn) counters.hash_hits.add();
  if (thief.batch.count > 1)
    counters.taken_along.add(static_cast<std::uint64_t>(thief.batch.count - 1));
  counters.steals_from[std::min<std::size_t>(choice.victim, stats::kVictims - 1)].add();
  const std::uint32_t distance = thief.victims.topology().distance(thief.index, choice.victim);
  counters.steals_at_distance[std::min<std::size_t>(distance, stats::kDistances - 1)].add();
}

/// One attempt at whom and what `policy` has chosen.
template <class Policy, class Wants>
Stolen try_steal(const policy::Choice &choice, Worker &thief, Policy &policy,
                 Wants wants) noexcept {
  thief.counters.attempts.add();
  const std::uint64_t begun = Policy::kTimesAttempts ? now_ns() : 0;
  const Seen seen = attempt(choice, thief, wants);
  const policy::Attempt attempt{.choice = choice,
                                .outcome = seen.outcome,
                                .ns = Policy::kTimesAttempts ? now_ns() - begun : 0};
  policy.learn(attempt);
  switch (seen.outcome) {
    case policy::Outcome::kStolen:
      record_steal(choice, thief);
      activity::steal(thief, registry().worker(choice.victim), seen.strand, seen.frame);
      if (thief.was_woken)
        thief.leaves_more = registry().worker(choice.victim).deque.steal().is_stealable();
      return take_over(
          thief,
          {.frame = seen.frame, .depth = seen.path.depth_below(seen.frame), .mark = seen.mark},
          seen.floating_point, Policy::kHasOwners ? policy.stolen(attempt, seen.mark) : seen.mark);
    case policy::Outcome::kEmpty:
      thief.counters.failed_empty.add();
      return {};
    case policy::Outcome::kLostRace:
      thief.counters.failed_lost_race.add();
      return {};
    case policy::Outcome::kOthersWork:
      thief.counters.failed_others_work.add();
      return {};
  }
  __builtin_unreachable();
}

constexpr auto anywhere = [](const Path &) { return true; };

/// What lies in no deque: ready continuations of chaos, and ownerless frames.
Stolen take_from_lists(Worker &thief) noexcept {
  if (const chaos::Ready ready = chaos::take_ready(thief); ready.frame != nullptr)
    return take_over(thief, {.frame = ready.frame, .depth = ready.depth, .mark = ready.mark},
                     ready.floating_point, ready.mark);
  if (nopal_frame *frame = registry().take_ownerless_frame())
    return {.frame = frame, .is_exclusive = true};
  return {};
}

/// What is left of a batch in the worker's own deque, youngest first: between two paths nothing
/// else is there. Cost: two loads if there is none.
Stolen take_from_own_deque(Worker &worker) noexcept {
  ContinuationDeque::Local own = worker.deque.local();
  if (worker.deque.bottom_position() == 0) return {};
  nopal_frame *const frame = own.pop_newest();
  if (frame == nullptr) return {};
  worker.counters.steals.add();
  activity::takes_back(worker);
  return {.frame = frame,
          .depth = worker.batch.depth_of(frame, worker.deque.bottom_position()),
          .mark = worker.own_mark()};
}

/// Looks at the lists and at about as many victims as there are.
Stolen try_round(Worker &thief) noexcept {
  if (const Stolen taken = take_from_lists(thief); taken.frame != nullptr) return taken;
  const std::uint32_t workers = registry().count();
  if (workers < 2) return {};
  return thief.victims.ask([&thief, workers](auto &policy) -> Stolen {
    for (std::uint32_t attempts = std::min(workers, kMaxAttemptsPerRound); attempts > 0; --attempts)
      if (const Stolen stolen = try_steal(policy.next(), thief, policy, anywhere);
          stolen.frame != nullptr)
        return stolen;
    return {};
  });
}

/// False: to search on is in vain, since others have had the processor for long at a yield shortly
/// before. A thread that sleeps gets it back sooner than one that yields.
bool back_off(Worker &worker, int round) noexcept {
  if (round < kRoundsBeforeYield) {
    for (int spin = 1 << round; spin > 0; --spin) HardwareAtoms::spin_pause();
    return true;
  }
  const std::uint64_t begun = now_ns();
  if (begun < worker.yields_again_ns) return false;
  sched_yield();
  const std::uint64_t end = now_ns();
  if (end - begun > HardwareAtoms::kLongYieldNs)
    worker.yields_again_ns = end + HardwareAtoms::kCrowdedNs;
  return true;
}

constexpr policy::Patience::Searches kSearches{kSearchNs, kShortSearchNs};

/// Until work is found, or the rounds are over. The worker is idle since `idle_since_ns`.
Stolen try_rounds(Worker &worker, std::uint64_t idle_since_ns) noexcept {
  const std::uint64_t begun = now_ns();
  const bool saves_time = feedback() != nullptr || registry().count() > config().processors;
  const std::uint64_t longest =
      saves_time ? kShortSearchNs : worker.patience.search_ns(kSearches, begun - idle_since_ns);
  for (int round = 0; !sleep().is_closed(); ++round) {
    if (const Stolen stolen = try_round(worker); stolen.frame != nullptr) return stolen;
    // First: a thief that was preempted for long yields once before it polls.
    if (!back_off(worker, round)) break;
    if (round >= kRoundsBeforeYield && now_ns() - begun > longest) break;
  }
  return {};
}

/// What Sleep wants to know of a worker that has found work. Resets it.
policy::FoundWork found_by(Worker &worker) noexcept {
  return {.workers = registry().count(),
          .was_woken = std::exchange(worker.was_woken, false),
          .leaves_more = std::exchange(worker.leaves_more, false)};
}

/// searching: until work is found (then working), or the rounds are over (still searching).
Stolen search(Worker &worker, std::uint64_t idle_since_ns) noexcept {
  const Stolen stolen = try_rounds(worker, idle_since_ns);
  if (stolen.frame != nullptr) sleep().found_work(worker.sleeper, found_by(worker));
  return stolen;
}

struct Scan {
  Stolen stolen;  // what was found, or none
  bool is_busy;   // there was something, or an owner has called
};

/// Looks at the lists and at each deque, once.
Scan scan_all(Worker &worker) noexcept {
  if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return {taken, true};
  return worker.victims.ask([&worker](auto &policy) -> Scan {
    bool is_busy = false;
    // While workers come, some may be seen twice, and none is skipped that was there before.
    for (std::uint32_t k = 0; k + 1 < registry().count(); ++k) {
      const std::uint32_t index = policy.victim_at(k);
      if (!registry().worker(index).deque.steal().is_stealable()) continue;
      is_busy = true;
      if (const Stolen stolen = try_steal({.victim = index}, worker, policy, anywhere);
          stolen.frame != nullptr)
        return {stolen, true};
    }
    return {{}, is_busy};
  });
}

/// polling: until called, or for kLongestWait. The order of the steps matters: README.md.
Scan watch(Worker &worker) noexcept {
  if (!sleep().set_alarm(worker.sleeper)) return {{}, false};  // the runtime stops
  for (std::uint32_t index = 0; index < registry().count(); ++index)
    registry().worker(index).deque.make_next_push_slow();
  sleep().pushes_are_slow();
  const Scan before = scan_all(worker);
  if (!before.is_busy) sleep().wait_for_call(worker.sleeper, kLongestWait);
  const bool was_called = sleep().reset_alarm(worker.sleeper);
  if (before.stolen.frame != nullptr || !was_called) return before;
  worker.was_woken = true;
  return {scan_all(worker).stolen, true};
}

/// Whether the program asks for as many workers as are active now, and `more`. Cost: a load without
/// feedback.
bool may_be_active(std::uint32_t more) noexcept {
  Feedback *const rule = feedback();
  if (rule == nullptr) return true;
  end_quantum_if_over(*rule);
  return active_workers() + more <= rule->desire() && turns::may_run(more);
}

/// polling, after a call for nothing: sleeps for a pause. On return the lists had something, or the
/// caller watches, or has to stop.
Stolen back_off_after_call(Worker &worker, std::chrono::nanoseconds &pause) noexcept {
  if (sleep().is_closed()) return {};
  const std::uint64_t begun = now_ns();
  sleep().sleep_for_pause(worker.sleeper, pause);
  if (Feedback *const rule = feedback(); rule != nullptr && may_be_active(1))
    rule->came_too_late(now_ns() - begun);
  pause = std::min(pause + pause / kPartOfIdleTime, kLongestPause);
  return take_from_lists(worker);
}

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

/// polling: while the program asks for no further worker, pauses a quantum after the other, without
/// an alarm. On return: what the lists had, or nothing, and the caller watches or has to stop.
Stolen wait_for_permission(Worker &worker) noexcept {
  for (int quanta = 0; !sleep().is_closed(); ++quanta) {
    if (may_be_active(1)) return {};
    if (quanta >= kMostRests) return {};
    sleep().sleep_for_pause(worker.sleeper, std::chrono::nanoseconds(feedback()->quantum_ns()));
    if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return taken;
    if (sleep().counts().attached == 0) return {};  // it parks
  }
  return {};
}

/// polling: until work is found (then working), or no thread is attached any more (then searching),
/// or the runtime stops (then gone).
Stolen poll(Worker &worker) noexcept {
  int looks_at_dead_end = 0;
  std::chrono::nanoseconds pause = kFirstPause;
  while (!sleep().is_closed()) {
    if (const Stolen taken = wait_for_permission(worker); taken.frame != nullptr) {
      sleep().poller_found_work(worker.sleeper, found_by(worker));
      return taken;
    }
    auto [stolen, is_busy] = watch(worker);
    if (stolen.frame == nullptr && is_busy) stolen = back_off_after_call(worker, pause);
    if (stolen.frame != nullptr) {
      sleep().poller_found_work(worker.sleeper, found_by(worker));
      return stolen;
    }
    if (sleep().poller_may_park(worker.sleeper)) {
      sleep().wait_parked(worker.sleeper);
      worker.was_woken = true;
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
  if (taken.frame != nullptr) sleep().found_work(worker.sleeper, found_by(worker));
  return taken;
}

/// searching, after the end of a path. If at least as many others work as there are processors, one
/// of them may wait for ours: a steal would speed nothing up. So we yield first, as thieves do with
/// Arora, Blumofe and Plaxton (SPAA 1998). A worker that was woken or started does not yield: it
/// may be confined to this processor (README.md, "Where a woken worker runs"), and all others may
/// be busy or blocked with no other watcher. Cost: three loads; a system call, and the turns of the
/// threads that wait. Why: docs/decisions/0023.
/// `uncounted`: 1 if the caller is not counted as searching, else 0.
void give_way(std::uint32_t uncounted) noexcept {
  const SleepCounts now = sleep().counts();  // a hint
  if (registry().held_count() >=
      uncounted + std::uint32_t{now.searching} + now.polling + now.parked + config().processors)
    sched_yield();
}

/// A worker whose path is over. With many workers it searches uncounted (README.md, "With many
/// workers"), and the result is what it has found, if anything; else it is counted as searching,
/// and has not searched yet. `*is_counted` says which.
Stolen begin_search(Worker &worker, std::uint64_t idle_since_ns, bool *is_counted) noexcept {
  *is_counted = !policy::searches_uncounted(registry().count()) || !may_be_active(0);
  if (*is_counted) sleep().start_search();
  give_way(*is_counted ? 0 : 1);
  return *is_counted ? Stolen{} : try_rounds(worker, idle_since_ns);
}

/// No path runs on the calling stack, and it may be long until the next.
void tidy() noexcept {
  const Stack *stack = this_thread().stack;
  if (stack != nullptr && stack->segment != nullptr)
    stack->segment->end_paths(__builtin_frame_address(0), kept_below());
}

}  // namespace

Stolen find_work(Worker &worker) noexcept {
  if (const Stolen own = take_from_own_deque(worker); own.frame != nullptr) return own;
  worker.run_path_of(policy::Mark());
  stats::WorkerCounters &counters = worker.counters;
  const std::uint64_t idle_since_ns = now_ns();
  activity::change(worker, stats::Activity::kStealing, idle_since_ns);
  Stolen stolen;
  bool is_counted = true;  // as searching
  if (!std::exchange(worker.is_searching, false))
    stolen = begin_search(worker, idle_since_ns, &is_counted);
  while (stolen.frame == nullptr) {
    if (is_counted)
      stolen = may_be_active(0) ? search(worker, idle_since_ns) : take_only_from_lists(worker);
    if (stolen.frame != nullptr) break;
    tidy();
    const Sleep::Next next = sleep().go_idle(worker.sleeper, is_counted);
    if (next == Sleep::Next::kStop) break;
    counters.parks.add();
    activity::change(worker, stats::Activity::kParked, now_ns());
    if (next == Sleep::Next::kPark) {
      sleep().wait_parked(worker.sleeper);
      worker.was_woken = true;
    } else if ((stolen = poll(worker)).frame != nullptr) {
      break;
    }
    is_counted = true;
    activity::change(worker, stats::Activity::kStealing, now_ns());
  }
  const std::uint64_t now = now_ns();
  if (stolen.frame != nullptr) worker.patience.found_work(kSearches, now - idle_since_ns);
  const bool is_stolen = stolen.frame != nullptr && !stolen.is_exclusive;
  activity::change(worker, stats::Activity::kWorking, now,
                   is_stolen ? &site_of(stolen.frame) : nullptr);
  return stolen;
}

Stolen steal_below(Worker &worker, const nopal_frame *frame) noexcept {
  return worker.victims.ask([&worker, frame](auto &policy) -> Stolen {
    for (std::uint32_t k = 0; k + 1 < registry().count(); ++k) {
      const std::uint32_t index = policy.victim_at(k);
      Worker &other = registry().worker(index);
      if (other.path.origin() != frame || !other.deque.steal().is_stealable()) continue;  // hints
      const Stolen stolen = try_steal({.victim = index}, worker, policy,
                                      [frame](const Path &path) { return path.origin == frame; });
      if (stolen.frame != nullptr) return stolen;
    }
    return {};
  });
}

bool is_work_visible() noexcept {
  for (std::uint32_t index = 0, workers = registry().count(); index < workers; ++index)
    if (registry().worker(index).deque.steal().is_stealable()) return true;
  return false;
}

}  // namespace nopal
