// Workers of the simulated machine that parallelism feedback sends to sleep and wakes, and those
// that wait for an adversary. How idle workers sleep by themselves is in idle.cpp.
#include <algorithm>

#include "idle/constants.h"
#include "machine.h"

namespace nopal::sim {

policy::ASteal::Parameters runtime_feedback() noexcept {
  // tests/sim/constants_test.py holds delta against the runtime's.
  return {.delta = 0.9, .longest_wait = kMostRests};
}

/// Between two attempts. The result is now if the worker may go on; else when, or never.
Time Machine::rest(std::uint32_t number, Worker &worker) {
  if (!feedback_ || active_ <= desire_) return wheel_.now();
  result_.active += active_ * (wheel_.now() - active_since_);
  active_since_ = wheel_.now();
  --active_;
  worker.is_active = false;
  return sleep(number, worker);
}

Time Machine::sleep(std::uint32_t number, Worker &worker) {
  --searching_;
  worker.state = State::kIdle;
  turn_to(number, Activity::kAsleep);
  idle_.push_back(number);
  return kNever;
}

/// `number` sleeps, and is in no list any more. It is called `after` so long.
void Machine::wake(std::uint32_t number, Time after) {
  Worker &worker = workers_[number];
  ++result_.wake_ups;
  ++searching_;
  worker.state = State::kSearching;
  worker.phase = Phase::kTrying;
  worker.is_counted = true;
  worker.failed_in_row = worker.rounds = 0;
  worker.search_begun = wheel_.now() + after + options_.costs.wake;
  wheel_.insert(number, worker.search_begun);
}

void Machine::end_quantum() {
  const Time now = wheel_.now();
  set_busy(0);
  result_.active += active_ * (now - active_since_);
  active_since_ = now;
  const std::uint32_t allotted = std::min(active_, desire_);
  const policy::Quantum quantum{.desire = desire_,
                                .allotted = allotted,
                                .given_ns = allotted * (now - quantum_begun_),
                                .used_ns = busy_time_,
                                .length_ns = now - quantum_begun_};
  busy_time_ = 0;
  quantum_begun_ = now;
  ++result_.quanta;
  result_.desire_sum += desire_;
  desire_ = feedback_->next_desire(quantum);
  while (active_ < desire_ && !idle_.empty()) {
    workers_[idle_.back()].is_active = true;
    ++active_;
    wake(idle_.back(), 0);
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
