// How idle workers of the simulated machine go to sleep and are woken: as the runtime's
// (runtime/src/idle/README.md) in outline, or by parallelism feedback.
#include <algorithm>

#include "machine.h"

namespace nopal::sim {
namespace {

constexpr std::uint32_t kNoPoller = ~std::uint32_t{0};
constexpr std::uint32_t kMostAttemptsARound = 64, kMostDoublings = 6;

}  // namespace

/// Between two attempts. The result is now if the worker may go on; else when, or never.
Time Machine::rest(std::uint32_t number, Worker &worker) {
  if (feedback_ && active_ > desire_) {
    result_.active += active_ * (wheel_.now() - active_since_);
    active_since_ = wheel_.now();
    --active_;
    worker.is_active = false;
    return sleep(number, worker);
  }
  if (!options_.sleeps) return wheel_.now();
  if (wheel_.now() - worker.search_begun < options_.costs.search) {
    // A round of attempts, then a pause that doubles.
    const std::uint32_t round = std::min(count_, kMostAttemptsARound);
    if (worker.failed_in_row < round) return wheel_.now();
    worker.failed_in_row = 0;
    worker.rounds = std::min(worker.rounds + 1, kMostDoublings);
    return wheel_.now() + (options_.costs.pause << worker.rounds);
  }
  worker.rounds = 0;
  if (poller_ != kNoPoller) return sleep(number, worker);
  // Becomes the poller: looks at each deque once, and then sleeps until the next push.
  for (std::uint32_t k = 0; k + 1 < count_; ++k) {
    const policy::WorkerId victim = policies_.look(number, k);
    if (!workers_[victim].deque.is_empty()) return attempt_at(number, worker, {.victim = victim});
  }
  --searching_;
  poller_ = number;
  worker.state = State::kIdle;
  turn_to(number, Activity::kAsleep);
  return kNever;
}

Time Machine::sleep(std::uint32_t number, Worker &worker) {
  --searching_;
  worker.state = State::kIdle;
  turn_to(number, Activity::kAsleep);
  idle_.push_back(number);
  return kNever;
}

/// `number` sleeps, and is in no list any more.
void Machine::wake(std::uint32_t number) {
  Worker &worker = workers_[number];
  ++result_.wake_ups;
  ++searching_;
  worker.state = State::kSearching;
  worker.failed_in_row = worker.rounds = 0;
  worker.search_begun = wheel_.now() + options_.costs.wake;
  wheel_.insert(number, worker.search_begun);
}

/// A push while the poller sleeps.
void Machine::call_sleeper() {
  const std::uint32_t poller = poller_;
  poller_ = kNoPoller;
  wake(poller);
}

void Machine::end_quantum() {
  const Time now = wheel_.now();
  set_busy(0);
  result_.active += active_ * (now - active_since_);
  active_since_ = now;
  const policy::Quantum quantum{.desire = desire_,
                                .allotted = std::min(active_, desire_),
                                .length_ns = now - quantum_begun_,
                                .used_ns = busy_time_};
  busy_time_ = 0;
  quantum_begun_ = now;
  ++result_.quanta;
  result_.desire_sum += desire_;
  desire_ = feedback_->next_desire(quantum);
  while (active_ < desire_ && !idle_.empty()) {
    workers_[idle_.back()].is_active = true;
    ++active_;
    wake(idle_.back());
    idle_.pop_back();
  }
  wheel_.insert(count_, now + options_.feedback->quantum_ns);
}

/// An adversary's general steal that is not due yet.
Time Machine::wait_for_adversary(std::uint32_t number) {
  const Time wait = policies_.wait(number);
  turn_to(number, Activity::kWait);
  if (wait != kNever) return wheel_.now() + wait;
  deferred_.push_back(number);
  return kNever;
}

}  // namespace nopal::sim
