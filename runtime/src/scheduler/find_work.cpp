// See find_work.h.
#include "find_work.h"

#include "../chaos/chaos.h"
#include "../policy/random.h"
#include "../policy/sight.h"
#include "../worker/floating_point.h"
#include "../worker/roster.h"
#include "../worker/segments.h"
#include "runtime.h"
#include "switch.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

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
// of their time at most, and overlooks new work for a small part of its own. Nor behind the pause, while all that is to be seen is fleeting, but
// for not more than so many pauses, in which that time grows to less than three times what it was, or by 64 ms.
constexpr std::chrono::nanoseconds kFirstPause{100'000};
constexpr std::chrono::nanoseconds kLongestPause{2'000'000};
constexpr int kPartOfIdleTime = 32;
constexpr int kMostPauses = 32;
// Who is called so soon sees what was pushed all the time.
constexpr std::uint64_t kSoonNs = 100'000;

// A sight takes about 4 us, and no more than this. Longer than most interruptions of an owner by the system's clock: the time between two of them.
constexpr std::uint64_t kLongestSightNs = 20'000;
constexpr std::uint64_t kBetweenSightsNs = 45'000;
constexpr std::uint32_t kMostSpinsBetweenLooks = 2; // with the clock about 0.1 us

constexpr std::uint32_t kMaxAttemptsPerRound = 64;

/// The continuation in `frame` is ours, and what it runs with is `floating_point`.
Stolen take_over(Worker &thief, nopal_frame *frame, std::uint64_t floating_point, cactus::Depth depth) noexcept {
  thief.counters.steals.add();
  if (floating_point != thief.floating_point.load(std::memory_order_relaxed)) { // ours: set in this thread, too
    set_floating_point_control(floating_point);
    thief.floating_point.store(floating_point, std::memory_order_relaxed); // thieves: see Worker
  }
  return {.frame = frame, .depth = depth};
}

/// `wants(place)`: whether what lies there is wanted; asked with a claim.
template <class Wants> Stolen try_steal_from(std::uint32_t index, Worker &thief, Wants wants) noexcept {
  Worker &victim = roster().slot(index);
  thief.counters.attempts.add();
  ThiefFences::attempt_begins();
  std::uint64_t floating_point = 0;
  Place place;
  const auto [outcome, frame] = victim.deque.steal().steal<ThiefFences>(&thief, [&](const nopal_frame *) {
    floating_point = victim.floating_point.load(std::memory_order_relaxed);
    place = victim.place.get();
    return wants(place);
  });
  thief.victims.learn(index, outcome);
  switch (outcome) {
  case StealOutcome::kStolen:
    return take_over(thief, frame, floating_point, place.depth_below(frame));
  case StealOutcome::kEmpty:
    thief.counters.failed_empty.add();
    return {};
  case StealOutcome::kLostRace:
    thief.counters.failed_lost_race.add();
    return {};
  }
  __builtin_unreachable();
}

constexpr auto anywhere = [](const Place &) { return true; };

/// What lies in no deque: the ready list's, and frames without a thread.
Stolen take_from_lists(Worker &thief) noexcept {
  if (const chaos::Ready ready = chaos::take_ready(); ready.frame != nullptr)
    return take_over(thief, ready.frame, ready.floating_point, ready.depth);
  if (nopal_frame *orphan = roster().take_orphan()) return {.frame = orphan, .is_exclusive = true};
  return {};
}

/// How a worker looks at others' deques without touching them (policy/sight.h).
class Looks {
public:
  explicit Looks(const Worker &self) noexcept : self_(self.index), random_(stats::now_ns()) {}

  /// Some 50 us, or 4 and less if all is fleeting.
  Sight at_all() noexcept {
    const auto see = [this] {
      const std::uint32_t slots = roster().slots(), first = random_.below(slots); // so that none is always the last when time is over
      begun_ = stats::now_ns();
      return sight_of(slots, [&](std::uint32_t index) { return is_stealable((first + index) % slots); }, [this] { return pause(); });
    };
    const auto wait = [] {
      for (const std::uint64_t begun = stats::now_ns(); stats::now_ns() - begun < kBetweenSightsNs;) HardwareAtoms::spin_pause();
    };
    return see_twice(see, wait);
  }

private:
  bool is_stealable(std::uint32_t index) const noexcept { return index != self_ && roster().slot(index).deque.steal().is_stealable(); }
  bool pause() noexcept {
    for (std::uint32_t left = 1 + random_.below(kMostSpinsBetweenLooks); left > 0; --left) HardwareAtoms::spin_pause();
    return stats::now_ns() - begun_ < kLongestSightNs;
  }

  std::uint32_t self_;
  Random random_;
  std::uint64_t begun_ = 0;
};

/// Looks at the lists and at about as many victims as there are.
Stolen try_round(Worker &thief) noexcept {
  if (const Stolen taken = take_from_lists(thief); taken.frame != nullptr) return taken;
  const std::uint32_t slots = roster().slots();
  if (slots < 2) return {};
  for (std::uint32_t attempts = std::min(slots, kMaxAttemptsPerRound); attempts > 0; --attempts)
    if (const Stolen stolen = try_steal_from(thief.victims.next(slots), thief, anywhere); stolen.frame != nullptr) return stolen;
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
  const std::uint64_t begun = stats::now_ns();
  for (int round = 0; !is_stopping(); ++round) {
    if (const Stolen stolen = try_round(worker); stolen.frame != nullptr) {
      sleep().found_work(worker.sleeper);
      return stolen;
    }
    if (round >= kRoundsBeforeYield && stats::now_ns() - begun > kSearchNs) break;
    back_off(round);
  }
  return {};
}

struct Look {
  Stolen stolen; // what was found, or none
  bool is_busy;  // there was something, or somebody has called
};

/// Looks at the lists and at each deque, once.
Look look_everywhere(Worker &worker) noexcept {
  if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return {taken, true};
  bool is_busy = false;
  for (std::uint32_t index = 0; index < roster().slots(); ++index) {
    if (index == worker.index || !roster().slot(index).deque.steal().is_stealable()) continue;
    is_busy = true;
    if (const Stolen stolen = try_steal_from(index, worker, anywhere); stolen.frame != nullptr) return {stolen, true};
  }
  return {{}, is_busy};
}

/// polling: until called or for kLongestWait. The order of the steps matters: sleep/README.md.
/// `was_fleeting`: whether all that was to be seen just before was. If so, and the call comes at once, it is probably for more of that: the call itself
/// holds the caller for ten microseconds or more with what it has just pushed in its deque, and that alone is not stolen.
Look watch(Worker &worker, Looks &looks, bool was_fleeting) noexcept {
  if (!sleep().set_alarm(worker.sleeper)) return {{}, false}; // the runtime stops
  for (std::uint32_t index = 0; index < roster().slots(); ++index) roster().slot(index).deque.make_next_push_slow();
  sleep().pushes_are_slow();
  const Look before = look_everywhere(worker);
  const std::uint64_t begun = stats::now_ns();
  if (!before.is_busy) sleep().wait_for_call(worker.sleeper, kLongestWait);
  const bool was_called = sleep().reset_alarm(worker.sleeper);
  if (before.stolen.frame != nullptr || !was_called) return before;
  if (was_fleeting && stats::now_ns() - begun < kSoonNs) {
    if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return {taken, true};
    if (looks.at_all() == Sight::kFleeting) return {{}, true};
  }
  return {look_everywhere(worker).stolen, true};
}

/// polling, behind a call for nothing: sleeps for a pause, and for more while there is nothing but what is fleeting. On return the lists had something, or the
/// caller watches, or has to stop. `was_fleeting`: whether there were more.
Stolen rest_while_fleeting(Worker &worker, Looks &looks, std::chrono::nanoseconds &pause, bool &was_fleeting) noexcept {
  was_fleeting = false;
  for (int pauses = 0; pauses < kMostPauses && !is_stopping(); ++pauses) {
    sleep().reset_alarm(worker.sleeper); // a call may have come late: it shortens one pause, not all
    sleep().wait_polling(worker.sleeper, pause);
    pause = std::min(pause + pause / kPartOfIdleTime, kLongestPause);
    if (const Stolen taken = take_from_lists(worker); taken.frame != nullptr) return taken;
    if (looks.at_all() != Sight::kFleeting) break;
    was_fleeting = true;
  }
  return {};
}

/// polling: until work is found (then working), or nobody is attached any more (then searching), or the runtime stops (then gone).
/// Rests before it looks for the first time.
Stolen poll(Worker &worker, std::chrono::nanoseconds rest) noexcept {
  if (rest > rest.zero()) {
    sleep().wait_polling(worker.sleeper, rest);
    worker.thrift.rest_ends(stats::now_ns());
  }
  Looks looks(worker);
  bool was_fleeting = false;
  std::chrono::nanoseconds pause = kFirstPause;
  while (!is_stopping()) {
    auto [stolen, is_busy] = watch(worker, looks, was_fleeting);
    if (stolen.frame == nullptr && is_busy) stolen = rest_while_fleeting(worker, looks, pause, was_fleeting);
    if (stolen.frame != nullptr) {
      sleep().poller_found_work(worker.sleeper);
      return stolen;
    }
    if (sleep().poller_may_park(worker.sleeper)) {
      sleep().wait_parked(worker.sleeper);
      return {};
    }
    if (!is_busy) pause = kFirstPause;
  }
  sleep().stop_polling(worker.sleeper);
  sleep().start_search(); // so that every return without a frame is from the same state
  return {};
}

/// searching: what is not stolen from anybody, at once or not at all (still searching).
Stolen take_only_from_lists(Worker &worker) noexcept {
  const Stolen taken = take_from_lists(worker);
  if (taken.frame != nullptr) sleep().found_work(worker.sleeper);
  return taken;
}

/// The calling stack's paths are over, and it may be long until the next.
void tidy() noexcept {
  const Stack *stack = this_thread().stack;
  if (stack != nullptr && stack->segment != nullptr) stack->segment->end_paths(__builtin_frame_address(0), kept_below());
}

} // namespace

Stolen find_work(Worker &worker) noexcept {
  stats::WorkerCounters &counters = worker.counters;
  const std::uint64_t begun = stats::now_ns();
  counters.enter(stats::Activity::kStealing, begun);
  worker.thrift.path_ends(begun);
  std::chrono::nanoseconds pause = chaos::is_on() ? std::chrono::nanoseconds{0} : worker.thrift.pause();
  if (!std::exchange(worker.is_searching, false)) sleep().start_search();
  Stolen stolen;
  while ((stolen = pause > pause.zero() ? take_only_from_lists(worker) : search(worker)).frame == nullptr) {
    if (is_stopping()) {
      sleep().stop_search(worker.sleeper);
      break;
    }
    tidy();
    const Sleep::Rest rest = sleep().rest(worker.sleeper);
    if (rest == Sleep::Rest::kStop) break;
    counters.parks.add();
    counters.enter(stats::Activity::kParked, stats::now_ns());
    if (rest == Sleep::Rest::kPark)
      sleep().wait_parked(worker.sleeper);
    else if ((stolen = poll(worker, pause)).frame != nullptr)
      break;
    pause = pause.zero();
    counters.enter(stats::Activity::kStealing, stats::now_ns());
  }
  const std::uint64_t found = stats::now_ns();
  counters.enter(stats::Activity::kWorking, found);
  if (stolen.frame != nullptr) worker.thrift.path_begins(found);
  return stolen;
}

Stolen steal_below(Worker &worker, const nopal_frame *frame) noexcept {
  for (std::uint32_t index = 0, slots = roster().slots(); index < slots; ++index) {
    Worker &other = roster().slot(index);
    if (other.place.origin() != frame || !other.deque.steal().is_stealable()) continue; // hints
    const Stolen stolen = try_steal_from(index, worker, [frame](const Place &place) { return place.origin == frame; });
    if (stolen.frame != nullptr) return stolen;
  }
  return {};
}

bool is_work_in_sight() noexcept {
  for (std::uint32_t index = 0, slots = roster().slots(); index < slots; ++index)
    if (roster().slot(index).deque.steal().is_stealable()) return true;
  return false;
}

} // namespace nopal
