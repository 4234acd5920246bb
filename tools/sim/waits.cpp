// What a simulated worker does whose child has ended and whose parent was stolen, as the runtime's
// (runtime/src/scheduler/suspend.cpp, docs/decisions/0003). Only with `--idle sleep`.
//
// The frame of the parent lies on the stack of its first child. So only that stack may go on with
// it. Its worker looks for a while whether the others have joined; then it leaves the stack, and
// who joins last goes on there. The stack of an attached thread is run by that thread alone: while
// it waits it helps those who run the parent's continuation, and later it hands its worker over.
#include <algorithm>

#include "machine.h"

namespace nopal::sim {

Frame *Machine::new_frame_of(const Worker &worker, Frame &parent, bool is_called) {
  Frame *const frame = new_frame(worker.child, &parent, is_called);
  if (!options_.sleeps) return frame;
  frame->thread = worker.thread;
  frame->origin = worker.origin;
  frame->is_first_child = !is_called && !parent.is_slow;
  return frame;
}

void Machine::run_path_of(std::uint32_t number, Worker &worker, policy::Mark mark) {
  if (worker.has_path && mark.bits() == worker.mark.bits()) return;
  end_path(number, worker);
  begin_path(number, worker, mark);
}

/// The first child of `frame` has ended, and the continuation is stolen.
Machine::Ended Machine::wait_for(std::uint32_t number, Worker &worker, Frame &frame) {
  worker.wait = {.frame = &frame, .mark = worker.mark, .begun = wheel_.now()};
  if (frame.is_waiting && frame.outstanding == 1) {
    all_joined(number, worker);
    return Ended::kGoesOn;
  }
  worker.frame = nullptr;
  worker.state = State::kWaiting;
  worker.phase = Phase::kTrying;
  turn_to(number, Activity::kWait);
  return Ended::kWaits;
}

/// When a worker that waits looks next.
Time Machine::look_again(Worker &worker) noexcept {
  const bool spins = worker.wait.looks++ < options_.rules.looks_before_yield;
  return wheel_.now() + std::max<Time>(1, spins ? options_.costs.pause : options_.costs.yield);
}

/// The worker goes on with the frame for which it waits, on the same stack.
Time Machine::all_joined(std::uint32_t number, Worker &worker) {
  Frame &frame = *worker.wait.frame;
  frame.outstanding = 0;
  worker.frame = &frame;
  worker.step.kind = frame.pending;
  worker.state = State::kRunning;
  run_path_of(number, worker, frame.mark);
  turn_to(number, Activity::kWork);
  return wheel_.now();
}

/// An event of a worker that waits.
Time Machine::wait_step(std::uint32_t number, Worker &worker) {
  if (worker.phase == Phase::kConfirming) return confirm(number, worker);
  const Frame &frame = *worker.wait.frame;
  if (frame.is_waiting && frame.outstanding == 1) {
    worker.frame = worker.wait.frame;
    worker.frame->is_waiting = false;
    return all_joined(number, worker);
  }
  const IdleRules &rules = options_.rules;
  const Time waited = wheel_.now() - worker.wait.begun;
  if (worker.thread == kSegment)
    return waited > rules.short_ns ? leave_stack(number, worker) : look_again(worker);
  if (waited < rules.before_help_ns) return look_again(worker);
  if (const Time until = try_help(number, worker); until != kNever) return until;
  const bool is_work_visible =
      std::any_of(workers_.begin(), workers_.end(),
                  [](const Worker &other) { return !other.deque.is_empty(); });
  if (waited > rules.long_ns || (waited > rules.short_ns && is_work_visible))
    return leave_stack(number, worker);
  return look_again(worker) + look_at_all_;
}

/// An attached thread: claims a continuation below the frame for which it waits. The result is when
/// the fence is over, or never if there is none.
Time Machine::try_help(std::uint32_t number, Worker &worker) {
  if (helped_[worker.thread].size() >= options_.rules.most_nested) return kNever;
  for (std::uint32_t k = 0; k + 1 < count_; ++k) {
    const policy::WorkerId victim = policies_.victim_at(number, k);
    const Worker &other = workers_[victim];
    if (other.origin != worker.wait.frame || other.deque.is_empty()) continue;
    const Time until = attempt_at(number, worker, {.victim = victim});
    if (worker.phase == Phase::kConfirming) return until;
    turn_to(number, Activity::kWait);  // another was faster
  }
  return kNever;
}

/// What an attached thread helped with is over.
Time Machine::back_to_wait(std::uint32_t number, Worker &worker) {
  --with_frame_;
  worker.frame = nullptr;
  worker.wait = helped_[worker.thread].back();
  helped_[worker.thread].pop_back();
  worker.origin = worker.wait.frame->origin;
  run_path_of(number, worker, worker.wait.mark);
  worker.wait.begun = wheel_.now();
  worker.wait.looks = 0;
  worker.state = State::kWaiting;
  worker.phase = Phase::kTrying;
  turn_to(number, Activity::kWait);
  return look_again(worker);
}

/// The worker waits no longer: who joins last goes on with the frame. An attached thread sleeps,
/// and another one is woken for its worker.
Time Machine::leave_stack(std::uint32_t number, Worker &worker) {
  Frame &frame = *worker.wait.frame;
  ++result_.stacks_left;
  frame.is_left = true;
  --frame.outstanding;
  const bool is_attached = worker.thread != kSegment;
  worker.thread = kSegment;
  if (!is_attached) return path_over(number, worker);
  worker.state = State::kSearching;
  worker.phase = Phase::kStarting;
  turn_to(number, Activity::kAsleep);
  return wheel_.now() + options_.costs.wake;
}

/// The worker has joined `frame` last, and the stack with it was left: it goes on there. If that or
/// its own is an attached thread's, another thread is woken for it.
Time Machine::resume_left_stack(std::uint32_t number, Worker &worker, Frame &frame) {
  const bool is_attached = worker.thread != kSegment;
  const bool wakes = is_attached || frame.thread != kSegment;
  if (is_attached) {  // it helped: its thread goes on waiting for what it waits for, asleep
    std::vector<Wait> &below = helped_[worker.thread];
    ++result_.stacks_left;
    below.back().frame->is_left = true;
    --below.back().frame->outstanding;
    below.pop_back();
    --with_frame_;
  }
  if (!frame.is_waiting) frame.pending = worker.step.kind;
  frame.is_waiting = frame.is_left = false;
  worker.frame = &frame;
  if (faults_.changes_stack()) worker.thread = frame.thread;
  worker.origin = frame.origin;
  worker.step.kind = frame.pending;
  run_path_of(number, worker, frame.mark);
  worker.state = State::kArriving;
  frame.is_resumed = true;
  turn_to(number, wakes ? Activity::kAsleep : Activity::kSteal);
  return wheel_.now() + (wakes ? options_.costs.wake : options_.costs.resume);
}

}  // namespace nopal::sim
