// Idle workers of the simulated machine, as the runtime's (runtime/src/idle/README.md): search,
// poller, parked workers, wake-ups and adaptive fences, and what shared cache lines cost. Only with
// `--idle sleep`. README.md has the model; docs/policies.md what came out.
#include <algorithm>
#include <utility>

#include "machine.h"
#include "policy/many_workers.h"

namespace nopal::sim {

/// A read-modify-write of a line, or a critical section: they come one after the other, in the
/// order of the events that ask. The caller wants it `after` so long. The result is how long it
/// waits from then, and holds it.
Time Machine::use(Line &line, Time hold, Time after) noexcept {
  const Time from = wheel_.now() + after, begins = std::max(from, line.free_at);
  result_.line_wait += begins - from;
  line.free_at = begins + hold;
  return line.free_at - from;
}

void Machine::prepare_idle() {
  for (std::uint32_t k = 1; k < count_; ++k)
    look_at_all_ += Costs::at(options_.costs.failed, topology_.distance(0, k));
  if (policy::begins_fenced(workers_told(options_.rules.many_workers.fences)))
    for (Worker &worker : workers_) worker.fenced = options_.rules.fenced_pops * fence_scale();
}

/// What an owner pays beside its strands, since its last event.
Time Machine::overhead(Worker &worker) noexcept {
  const Time owed = worker.owed + (interrupts_ - worker.interrupts_seen) * options_.costs.interrupt;
  worker.interrupts_seen = interrupts_;
  worker.owed = 0;
  return owed;
}

/// After a push.
void Machine::note_push(Worker &worker) {
  if (worker.slow_after == lowerings_) return;
  worker.slow_after = lowerings_;
  worker.owed += options_.costs.slow_push;
  if (alarm_ == Alarm::kNotSet) return;
  const bool was_asleep = alarm_ == Alarm::kAsleep;
  alarm_ = Alarm::kNotSet;
  if (!was_asleep) return;
  ++result_.calls;
  worker.fenced = std::max(worker.fenced, options_.rules.expectant_pops);
  const Time takes = use(sleep_mutex_, options_.costs.call);
  worker.owed += takes;
  Worker &poller = workers_[poller_];
  poller.state = State::kSearching;
  poller.phase = Phase::kCalled;
  poller.was_woken = true;
  wheel_.insert(poller_, wheel_.now() + takes - options_.costs.call + options_.costs.wake);
}

void Machine::note_pop(Worker &worker) noexcept {
  if (worker.fenced == 0) return;
  --worker.fenced;
  worker.owed += options_.costs.fence;
}

std::uint64_t Machine::fence_scale() const noexcept {
  return policy::fence_scale(workers_told(options_.rules.many_workers.fences));
}

/// A pop that found its continuation stolen.
void Machine::note_stolen(Worker &worker) noexcept {
  worker.fenced = options_.rules.fenced_pops * fence_scale();
}

/// How long the thief's part of a steal takes, over what a steal without any fence does.
Time Machine::fence_for(const Worker &victim) noexcept {
  if (victim.fenced > 0) return options_.rules.claim_grace_ns;
  ++result_.heavy_fences;
  ++interrupts_;
  const Time running = count_ - idle_.size();
  return use(fence_mutex_, options_.costs.membarrier + options_.costs.fence_each * running);
}

/// A thief's claim of the oldest continuation, and the fence after it.
Time Machine::claim(std::uint32_t number, Worker &worker, const policy::Choice &choice) {
  Worker &victim = workers_[choice.victim];
  worker.claimed = choice;
  worker.claimed_frame = victim.deque.oldest();
  worker.claimed_pc = worker.claimed_frame->pc;
  worker.claimed_at = wheel_.now();
  worker.phase = Phase::kConfirming;
  turn_to(number, Activity::kSteal);
  victim.claimed_until = wheel_.now() + fence_for(victim);
  return victim.claimed_until;
}

/// The fence is over. If the owner has come to what is claimed meanwhile, it has taken that back.
Time Machine::confirm(std::uint32_t number, Worker &worker) {
  Worker &victim = workers_[worker.claimed.victim];
  const bool is_there = !victim.deque.is_empty() && victim.deque.oldest() == worker.claimed_frame &&
                        worker.claimed_frame->pc == worker.claimed_pc &&
                        (worker.state != State::kWaiting || victim.origin == worker.wait.frame);
  if (is_there) return take(number, worker, worker.claimed);
  ++result_.lost_races;
  const Time took = wheel_.now() - worker.claimed_at;
  if (took >= options_.rules.stale_claim_ns) note_stolen(victim);  // as if it had been
  tell(number, {worker.claimed, policy::Outcome::kLostRace, took});
  worker.phase = Phase::kTrying;
  if (worker.state == State::kWaiting) {
    turn_to(number, Activity::kWait);
    return look_again(worker);
  }
  turn_to(number, Activity::kFail);
  if (poller_ == number) return pause_polling(number, worker);
  ++worker.failed_in_row;
  return wheel_.now() + Costs::at(options_.costs.failed, 0);
}

/// The worker's path is over.
Time Machine::begin_search(Worker &worker) {
  Time begins = wheel_.now();
  worker.phase = Phase::kTrying;
  worker.is_counted = !policy::searches_uncounted(workers_told(options_.rules.many_workers.late));
  if (worker.is_counted) {
    ++searching_;
    begins += use(sleep_word_, options_.costs.line);
  }
  return worker.idle_since = worker.search_begun = begins;
}

/// An event of a worker that has no work.
Time Machine::idle_step(std::uint32_t number, Worker &worker) {
  switch (worker.phase) {
    case Phase::kTrying:
      return try_once(number, worker);
    case Phase::kGoing:
      worker.phase = Phase::kResting;
      return wheel_.now() + use(sleep_mutex_, options_.costs.hold + options_.costs.line);
    case Phase::kResting:
      return settle(number, worker);
    case Phase::kCalled:
      return begin_look(number, worker, Phase::kLookingAgain);
    case Phase::kLooking:
    case Phase::kLookingAgain:
      return end_look(number, worker);
    case Phase::kConfirming:
      return confirm(number, worker);
    case Phase::kStarting:
      return path_over(number, worker);
    case Phase::kPausing:
      return end_pause(number, worker);
  }
  __builtin_unreachable();
}

Time Machine::try_once(std::uint32_t number, Worker &worker) {
  const IdleRules &rules = options_.rules;
  const std::uint64_t round = std::min<std::uint64_t>(count_, rules.attempts_a_round);
  if (worker.failed_in_row < round) {
    const policy::Choice choice = policies_.next(number);
    if (choice.victim == policy::kNobody) return wait_for_adversary(number);
    return attempt_at(number, worker, choice);
  }
  worker.failed_in_row = 0;
  turn_to(number, Activity::kFail);
  const std::uint32_t number_of_round = worker.rounds++;
  if (number_of_round < rules.rounds_before_yield)
    return wheel_.now() + (options_.costs.pause << number_of_round);
  const Time length =
      worker.patience.search_ns(rules.searches(), worker.search_begun - worker.idle_since);
  if (wheel_.now() - worker.search_begun > length) worker.phase = Phase::kGoing;
  return wheel_.now() + options_.costs.yield;
}

/// searching -> polling or parked; the mutex is held.
Time Machine::settle(std::uint32_t number, Worker &worker) {
  searching_ -= worker.is_counted;
  worker.is_counted = false;
  worker.rounds = 0;
  if (poller_ != kNoPoller) {
    worker.state = State::kIdle;
    turn_to(number, Activity::kAsleep);
    idle_.push_back(number);
    return kNever;
  }
  poller_ = number;
  worker.pause = options_.rules.first_pause_ns;
  return begin_look(number, worker, Phase::kLooking);
}

/// Watching: the alarm is set, all pushes are slow, and all deques are looked at.
Time Machine::begin_look(std::uint32_t number, Worker &worker, Phase phase) {
  worker.phase = phase;
  turn_to(number, Activity::kLook);
  Time takes = look_at_all_;
  if (phase == Phase::kLooking) {
    alarm_ = Alarm::kAwake;
    ++lowerings_;
    takes += look_at_all_ + use(sleep_mutex_, options_.costs.hold);
  }
  return wheel_.now() + takes;
}

Time Machine::end_look(std::uint32_t number, Worker &worker) {
  const bool is_first = worker.phase == Phase::kLooking;
  bool is_busy = !is_first;  // an owner has called
  for (std::uint32_t k = 0; k + 1 < count_; ++k) {
    const policy::WorkerId victim = policies_.victim_at(number, k);
    if (workers_[victim].deque.is_empty()) continue;
    alarm_ = Alarm::kNotSet;
    is_busy = true;
    const Time until = attempt_at(number, worker, {.victim = victim});
    if (worker.phase == Phase::kConfirming) return until;
    break;  // another was faster
  }
  if (is_busy) return pause_polling(number, worker);
  if (alarm_ == Alarm::kNotSet) return begin_look(number, worker, Phase::kLookingAgain);
  alarm_ = Alarm::kAsleep;
  worker.pause = options_.rules.first_pause_ns;
  worker.state = State::kIdle;
  turn_to(number, Activity::kAsleep);
  return kNever;
}

/// After a call for nothing: cannot be called for a pause.
Time Machine::pause_polling(std::uint32_t number, Worker &worker) {
  worker.phase = Phase::kPausing;
  turn_to(number, Activity::kAsleep);
  const Time until = wheel_.now() + worker.pause;
  const std::uint64_t part = options_.rules.part_of_idle_time;
  worker.pause = std::min(worker.pause + worker.pause / part, options_.rules.longest_pause_ns);
  return until;
}

/// The poller's pause is over.
Time Machine::end_pause(std::uint32_t number, Worker &worker) {
  return begin_look(number, worker, Phase::kLooking);
}

/// The worker has stolen. The result is how long its transitions and wake-ups take. A sleeper is
/// called after the mutex and the calls before its own.
Time Machine::found_work(std::uint32_t number, Worker &worker, const Worker &victim) {
  Time takes = 0;
  worker.patience.found_work(options_.rules.searches(), wheel_.now() - worker.idle_since);
  if (worker.is_counted) {
    worker.is_counted = false;
    --searching_;
    takes = use(sleep_word_, options_.costs.line);
  } else if (poller_ == number) {
    poller_ = kNoPoller;
    takes = use(sleep_mutex_, options_.costs.hold);
  }
  std::uint32_t wanted =
      policy::wake_ups({.workers = workers_told(options_.rules.many_workers.tree),
                        .was_woken = std::exchange(worker.was_woken, false),
                        .leaves_more = !victim.deque.is_empty()},
                       searching_ > 0 || poller_ != kNoPoller);
  if (wanted > 0 && !idle_.empty()) takes += use(sleep_mutex_, options_.costs.hold, takes);
  for (; wanted > 0 && !idle_.empty(); --wanted) {
    Worker &sleeper = workers_[idle_.back()];
    wake(idle_.back(), takes);
    sleeper.was_woken = true;
    idle_.pop_back();
    takes += options_.costs.call;
  }
  return takes;
}

}  // namespace nopal::sim
