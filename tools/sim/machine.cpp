// See machine.h: strands, spawns, joins and steals. Sleep is in idle.cpp, feedback in
// feedback.cpp.
#include "machine.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "policy/many_workers.h"

namespace nopal::sim {

using policy::Amount;
using policy::Attempt;
using policy::Choice;
using policy::kNobody;
using policy::Mark;
using policy::Outcome;

namespace {

std::uint64_t helper_of(std::uint32_t owner, std::uint32_t helper) noexcept {
  return std::uint64_t{owner} << 32 | helper;
}

}  // namespace

Machine::Machine(const Program &program, PolicySet &policies, const policy::Topology &topology,
                 const Options &options)
    : program_(program),
      policies_(policies),
      topology_(topology),
      options_(options),
      faults_(options.fault),
      count_(topology.workers()),
      wheel_(count_ + 1),
      workers_(count_),
      on_work_(count_, 0) {
  result_.workers = count_;
  result_.spent_by.resize(count_);
  options_.sleeps &= !options_.is_greedy;  // which leaves nobody idle
  if (options_.sleeps) prepare_idle();
  if (!options_.costs.noise.empty())
    noise_.emplace(options_.costs.noise, options_.costs.noise_slice,
                   static_cast<std::uint32_t>(options_.costs.noise_processors), count_,
                   options_.seed);
  if (!options_.is_greedy) return;
  place_in_stealable_.resize(count_);
  options_.costs.resume = 0;
}

const Node *Machine::oldest(std::uint32_t worker) const noexcept {
  const FrameDeque &deque = workers_[worker].deque;
  return deque.is_empty() ? nullptr : &deque.oldest()->node;
}

Result Machine::run() {
  start();
  PartyId number = 0;
  while (!is_done_ && wheel_.pop(number)) fire(number);
  if (!is_done_) throw BadInput(kStuck);
  result_.time = wheel_.now();
  for (std::uint32_t i = 0; i < count_; ++i) {
    turn_to(i, Activity::kAsleep);
    for (std::size_t a = 0; a < kActivities; ++a) result_.spent[a] += result_.spent_by[i][a];
  }
  result_.active += active_ * (wheel_.now() - active_since_);
  return result_;
}

void Machine::start() {
  policies_.watch(*this);
  const std::vector<Root> roots = program_.roots();
  above_roots_.outstanding = static_cast<std::uint32_t>(roots.size());
  above_roots_.is_waiting = true;
  for (const Root &root : roots) {
    Worker &worker = workers_[root.worker];
    worker.frame = new_frame(root.node, &above_roots_, false);
    if (options_.sleeps) {
      worker.frame->thread = worker.thread = static_cast<std::uint32_t>(helped_.size());
      helped_.emplace_back();
    }
    worker.state = State::kArriving;
    ++with_frame_;
    begin_path(root.worker, worker,
               Mark(root.worker, program_.has_owners() ? Mark::kMostGenerations : 0));
  }
  active_ = count_;
  if (options_.feedback) {
    feedback_.emplace(*options_.feedback, count_, options_.asks_for_all_first ? count_ : 1);
    active_ = desire_ = feedback_->desire();
    wheel_.insert(count_, options_.feedback->quantum_ns);
  }
  for (std::uint32_t i = count_; i > 0; --i) {
    Worker &worker = workers_[i - 1];
    const bool is_spare = feedback_ && i > active_;
    if ((is_spare || options_.is_greedy) && worker.frame == nullptr) {
      worker.is_active = !is_spare;
      worker.state = State::kIdle;
      worker.activity = Activity::kAsleep;
      idle_.push_back(i - 1);
      continue;
    }
    if (worker.state == State::kSearching) {
      worker.is_counted =
          !options_.sleeps || searching_ == 0 ||
          !policy::searches_uncounted(workers_told(options_.rules.many_workers.late));
      searching_ += worker.is_counted;
    }
    wheel_.insert(i - 1, 0);
  }
}

void Machine::fire(std::uint32_t number) {
  if (const PartyId next = wheel_.peek(); next < count_) __builtin_prefetch(&workers_[next]);
  if (number == count_) return end_quantum();
  Worker &worker = workers_[number];
  Time next = kNever;
  do {
    if ((++result_.events & ((1u << 20) - 1)) == 0) {
      if (options_.progress) options_.progress(result_.events);
      if (result_.events > options_.most_events)
        throw BadInput("the run takes more events than --most-events allows");
    }
    switch (worker.state) {
      case State::kRunning:
        if (options_.sleeps)
          if (const Time owed = overhead(worker); owed != 0) {
            turn_to(number, Activity::kOverhead);
            next = wheel_.now() + owed;
            break;
          }
        turn_to(number, Activity::kWork);
        next = run_on(number);
        break;
      case State::kArriving:
        worker.state = State::kRunning;
        turn_to(number, Activity::kWork);
        next = wheel_.now();
        if (worker.frame->is_resumed)
          worker.frame->is_resumed = false;  // its step is pending
        else
          next = begin_strand(number, worker);
        if (next == wheel_.now()) next = run_on(number);
        break;
      case State::kWaiting:
        next = wait_step(number, worker);
        break;
      case State::kSearching:
        next = options_.sleeps ? idle_step(number, worker) : attempt(number, worker);
        break;
      case State::kIdle:
        return;
    }
    if (next == kNever || is_done_) return;
  } while (wheel_.advance(next));
  wheel_.insert(number, next);
}

void Machine::turn_to(std::uint32_t number, Activity activity) noexcept {
  Worker &worker = workers_[number];
  if (faults_.meters_activity(number, worker.activity))
    result_.spent_by[number][static_cast<std::size_t>(worker.activity)] +=
        wheel_.now() - worker.since;
  worker.since = wheel_.now();
  if (worker.activity == activity) return;
  if (worker.activity == Activity::kWork) set_busy(-1);
  if (activity == Activity::kWork) set_busy(1);
  worker.activity = activity;
}

void Machine::set_busy(int change) noexcept {
  busy_time_ += busy_ * (wheel_.now() - busy_since_);
  busy_since_ = wheel_.now();
  busy_ += static_cast<std::uint32_t>(change);
}

/// Asks the program for the next strand of the worker's frame. The result is when it ends.
Time Machine::begin_strand(std::uint32_t number, Worker &worker) {
  Frame &frame = *worker.frame;
  worker.step = program_.step(frame.node, frame.pc, worker.child);
  Time takes = worker.step.work;
  if (worker.step.kind == Step::Kind::kSpawn) takes += options_.costs.spawn;
  frame.prefix += takes;
  result_.wrong_stacks += options_.sleeps && !frame.is_slow && worker.thread != frame.thread;
  if (faults_.meters_strand(result_.events)) result_.t1 += takes;
  takes = faults_.clocked(takes);
  if (noise_) {
    const Time lost = noise_->lost(number, wheel_.now(), takes);
    result_.lost += lost;
    takes += lost;
  }
  return wheel_.now() + takes;
}

/// The strand is over: does what ends it, and what follows until something takes time.
Time Machine::run_on(std::uint32_t number) {
  Worker &worker = workers_[number];
  while (true) {
    Frame &frame = *worker.frame;
    switch (worker.step.kind) {
      case Step::Kind::kSpawn:
        begin_child(number, worker);
        break;
      case Step::Kind::kCall:
        ++frame.pc;
        worker.frame = new_frame_of(worker, frame, true);
        break;
      case Step::Kind::kSync:
      case Step::Kind::kReturn: {
        if (frame.outstanding != 0) return wait_at_join(number, worker);
        if (frame.is_left) return resume_left_stack(number, worker, frame);
        if (frame.is_slow) run_path_of(number, worker, frame.mark);
        if (worker.step.kind == Step::Kind::kSync) {
          pass_sync(frame);
          break;
        }
        const Ended ended = finish(number, worker);
        if (ended == Ended::kOver) return is_done_ ? kNever : path_over(number, worker);
        if (ended == Ended::kWaits) return look_again(worker);
        if (!worker.frame->is_waiting) break;
        if (worker.frame->is_left) return resume_left_stack(number, worker, *worker.frame);
        if (const Time until = resume_frame(number, worker); until != wheel_.now()) return until;
        continue;
      }
    }
    const Time until = begin_strand(number, worker);
    if (until != wheel_.now()) return until;
  }
}

/// The worker spawns: goes on with the child.
void Machine::begin_child(std::uint32_t number, Worker &worker) {
  Frame &frame = *worker.frame;
  ++result_.spawns;
  ++frame.pc;
  worker.deque.push(&frame);
  worker.frame = new_frame_of(worker, frame, false);
  if (options_.is_greedy) pushed(number);
  if (options_.sleeps) note_push(worker);
}

/// The worker's frame has children left at a sync or its return: its path is over.
Time Machine::wait_at_join(std::uint32_t number, Worker &worker) {
  worker.frame->is_waiting = true;
  worker.frame->pending = worker.step.kind;
  return path_over(number, worker);
}

/// All children have joined at a sync.
void Machine::pass_sync(Frame &frame) noexcept {
  frame.is_slow = false;
  ++frame.pc;
  frame.prefix = std::max(frame.prefix, frame.longest);
  frame.longest = 0;
}

/// The last child of the worker's frame has joined: on after the join at which the frame waits. The
/// result is when.
Time Machine::resume_frame(std::uint32_t number, Worker &worker) {
  worker.frame->is_waiting = false;
  worker.step.kind = worker.frame->pending;
  if (options_.costs.resume == 0 || options_.sleeps) return wheel_.now();  // with sleep: in place
  worker.state = State::kArriving;
  turn_to(number, Activity::kSteal);
  worker.frame->is_resumed = true;
  return wheel_.now() + options_.costs.resume;
}

/// The frame returns to its parent: the worker goes on with that, or waits for it, or its path is
/// over.
Machine::Ended Machine::finish(std::uint32_t number, Worker &worker) {
  Frame &frame = *worker.frame, &parent = *frame.parent;
  const Time span = std::max(frame.prefix, frame.longest);
  const bool is_called = frame.is_called, is_first_child = frame.is_first_child;
  const Time base = frame.base;
  free_frame(&frame);
  worker.frame = &parent;
  if (is_called) {
    parent.prefix += span;
    return Ended::kGoesOn;
  }
  parent.longest = std::max(parent.longest, base + span);
  if (!worker.deque.is_empty() && worker.deque.youngest() == &parent) {
    worker.deque.pop_youngest();
    if (is_first_child) parent.is_slow = false;  // it had come along with a steal
    if (options_.sleeps) note_pop(worker);
    if (options_.is_greedy && worker.deque.is_empty()) set_stealable(number, false);
    return Ended::kGoesOn;
  }
  ++result_.joins;
  if (options_.sleeps) {
    note_stolen(worker);
    if (is_first_child) return wait_for(number, worker, parent);
  }
  --parent.outstanding;
  if (&parent == &above_roots_) {
    ++roots_done_;
    for (const std::uint32_t other : std::exchange(deferred_, {}))
      wheel_.insert(other, wheel_.now() + 1);
    if (parent.outstanding == 0) {
      result_.span = std::max(parent.prefix, parent.longest);
      is_done_ = true;
    }
    worker.frame = nullptr;
    return Ended::kOver;
  }
  if (parent.outstanding == 0 && parent.is_waiting) {
    assert(worker.deque.is_empty());
    run_path_of(number, worker, parent.mark);
    return Ended::kGoesOn;
  }
  worker.frame = nullptr;
  return Ended::kOver;
}

/// The worker has nothing to go on with. What came with a continuation that it stole is in its own
/// deque, and comes first.
Time Machine::path_over(std::uint32_t number, Worker &worker) {
  if (is_helping(worker)) return back_to_wait(number, worker);
  if (!worker.deque.is_empty()) {
    ++result_.self_steals;
    Frame *const frame = worker.deque.youngest();
    worker.deque.pop_youngest();
    ++frame->outstanding;
    worker.frame = frame;
    worker.origin = worker.deque.is_empty() ? frame : nullptr;
    worker.state = State::kArriving;
    turn_to(number, Activity::kSteal);
    return wheel_.now() + options_.costs.resume;
  }
  worker.frame = nullptr;
  worker.thread = kSegment;
  worker.origin = nullptr;
  if (--with_frame_ == 0) throw BadInput(kStuck);  // only they have continuations
  end_path(number, worker);
  return seek(number, worker);
}

void Machine::begin_path(std::uint32_t number, Worker &worker, Mark mark) {
  worker.mark = mark;
  worker.has_path = true;
  policies_.path_begins(number, mark);
  if (mark.owner() == kNobody) return;
  ++marked_workers_;
  if (on_work_[mark.owner()]++ == 0) ++owners_with_work_;
}

void Machine::end_path(std::uint32_t number, Worker &worker) {
  if (!worker.has_path) return;
  worker.has_path = false;
  policies_.path_ends(number, worker.mark);
  if (worker.mark.owner() == kNobody) return;
  --marked_workers_;
  if (--on_work_[worker.mark.owner()] == 0) --owners_with_work_;
}

void Machine::count_pile_up(Mark mark) {
  if (mark.owner() == kNobody || owners_with_work_ < 2) return;
  const double part = static_cast<double>(on_work_[mark.owner()]) * owners_with_work_ /
                      static_cast<double>(marked_workers_);
  result_.pile_up_sum += part;
  result_.pile_up_most = std::max(result_.pile_up_most, part);
  ++result_.pile_up_count;
}

/// Looks for work from now on.
Time Machine::seek(std::uint32_t number, Worker &worker) {
  if (options_.is_greedy) {
    const bool stays_idle = faults_.keeps_idle(number);
    if (!stealable_.empty() && !stays_idle) {
      ++result_.general_attempts;
      transfer(number, stealable_.back(), Amount::kOldest);
      worker.state = State::kArriving;
      turn_to(number, Activity::kSteal);
      return wheel_.now();
    }
    worker.state = State::kIdle;
    turn_to(number, Activity::kAsleep);
    if (!stays_idle) idle_.push_back(number);
    return kNever;
  }
  worker.state = State::kSearching;
  worker.failed_in_row = worker.rounds = 0;
  turn_to(number, Activity::kFail);
  if (options_.sleeps) return begin_search(worker);
  ++searching_;
  worker.is_counted = true;
  worker.search_begun = wheel_.now();
  return attempt(number, worker);
}

void Machine::tell(std::uint32_t number, const Attempt &attempt) {
  if (faults_.tells(attempt.choice.is_steal_back(), result_.back_attempts))
    policies_.learn(number, attempt);
}

/// What the worker's policy has cost since the last attempt: the lines of its words.
Time Machine::policy_time(std::uint32_t number) noexcept {
  const std::uint64_t lines = policies_.take_transfers(number);
  result_.policy_lines += lines;
  return lines * options_.costs.line;
}

/// At a failed attempt.
void Machine::sample_deques() noexcept {
  if (until_sample_-- > 0) return;
  until_sample_ = count_ - 1;
  std::uint64_t full = 0;
  for (const Worker &worker : workers_) full += !worker.deque.is_empty();
  ++result_.samples;
  result_.full_deques += full;
  result_.samples_without_work += full == 0;
}

Outcome Machine::outcome_of(const Choice &choice) const noexcept {
  const Worker &victim = workers_[choice.victim];
  if (victim.deque.is_empty()) return Outcome::kEmpty;
  if (choice.only_of != kNobody && victim.mark.owner() != choice.only_of)
    return Outcome::kOthersWork;
  return wheel_.now() < victim.claimed_until ? Outcome::kLostRace : Outcome::kStolen;
}

/// One attempt. The result is when the worker has what it stole, or may try again.
Time Machine::attempt(std::uint32_t number, Worker &worker) {
  if (const Time next = rest(number, worker); next != wheel_.now()) return next;
  const Choice choice = policies_.next(number);
  if (choice.victim == kNobody) return wait_for_adversary(number);
  return attempt_at(number, worker, choice);
}

Time Machine::attempt_at(std::uint32_t number, Worker &worker, const Choice &choice) {
  const std::uint32_t level = topology_.distance(number, choice.victim);
  Attempt attempt{.choice = choice, .outcome = outcome_of(choice)};
  if (choice.is_steal_back()) {
    ++result_.back_attempts;
    result_.repeated_backs += helpers_.erase(helper_of(number, choice.victim)) == 0;
  } else {
    ++result_.general_attempts;
  }
  result_.lost_races += attempt.outcome == Outcome::kLostRace;
  if (attempt.outcome != Outcome::kStolen) {
    attempt.ns = Costs::at(options_.costs.failed, level) + policy_time(number);
    tell(number, attempt);
    sample_deques();
    ++worker.failed_in_row;
    turn_to(number, Activity::kFail);
    return wheel_.now() + attempt.ns;
  }
  if (options_.sleeps && worker.phase != Phase::kConfirming) return claim(number, worker, choice);
  return take(number, worker, choice);
}

/// A successful steal. The result is when the worker has what it stole.
Time Machine::take(std::uint32_t number, Worker &worker, const Choice &choice) {
  const std::uint32_t level = topology_.distance(number, choice.victim);
  Attempt attempt{
      .choice = choice, .outcome = Outcome::kStolen, .ns = Costs::at(options_.costs.steal, level)};
  tell(number, attempt);
  ++(choice.is_steal_back() ? result_.backs : result_.general_steals);
  ++result_.steals_at_level[std::min<std::uint32_t>(level, kMostLevels - 1)];
  Worker &victim = workers_[choice.victim];
  if (!choice.is_steal_back()) count_pile_up(victim.mark);
  const Mark mark = policies_.stolen(number, attempt, victim.mark);
  result_.handed_on += mark.owner() != victim.mark.owner();
  if (!choice.is_steal_back() && mark.owner() != kNobody && mark.owner() != number)
    helpers_.insert(helper_of(mark.owner(), number));
  if (worker.state == State::kWaiting) {
    ++result_.helps;
    helped_[worker.thread].push_back(worker.wait);
  }
  transfer(number, choice.victim, choice.amount);
  run_path_of(number, worker, mark);
  if (!options_.sleeps) victim.claimed_until = wheel_.now() + options_.costs.membarrier;
  if (options_.sleeps) {
    attempt.ns -= std::min(attempt.ns, options_.costs.membarrier);
    if (worker.state != State::kWaiting) attempt.ns += found_work(number, worker, victim);
  } else {
    worker.is_counted = false;
    --searching_;
  }
  worker.state = State::kArriving;
  turn_to(number, Activity::kSteal);
  return wheel_.now() + attempt.ns + policy_time(number);
}

/// Moves continuations. The thief is about to run the youngest of them, whose child stays with the
/// victim.
void Machine::transfer(std::uint32_t thief, std::uint32_t victim, Amount amount) {
  FrameDeque &from = workers_[victim].deque, &to = workers_[thief].deque;
  const auto take = [&from, mark = workers_[victim].mark] {
    Frame *const frame = from.take_oldest();
    if (!frame->is_slow) frame->mark = mark;
    frame->is_slow = true;
    return frame;
  };
  const auto wanted = static_cast<std::uint32_t>(policy::taken_of(amount, from.size()));
  for (std::uint32_t i = 1; i < wanted; ++i) to.push(take());
  Frame *const frame = take();
  workers_[thief].origin = to.is_empty() ? frame : nullptr;
  if (faults_.counts_child(result_.frames_stolen)) ++frame->outstanding;
  frame->was_stolen = true;
  ++with_frame_;
  workers_[thief].frame = frame;
  result_.frames_stolen += wanted;
  if (!options_.is_greedy) return;
  ++result_.general_steals;
  if (from.is_empty()) set_stealable(victim, false);
}

/// Greedy: whoever is idle takes it at once.
void Machine::pushed(std::uint32_t number) {
  if (workers_[number].deque.size() == 1) set_stealable(number, true);
  if (idle_.empty()) return;
  const std::uint32_t thief = idle_.back();
  idle_.pop_back();
  ++result_.general_attempts;
  transfer(thief, number, Amount::kOldest);
  workers_[thief].state = State::kArriving;
  turn_to(thief, Activity::kSteal);
  wheel_.insert(thief, wheel_.now());
}

void Machine::set_stealable(std::uint32_t number, bool is_stealable) {
  if (is_stealable) {
    place_in_stealable_[number] = static_cast<std::uint32_t>(stealable_.size());
    stealable_.push_back(number);
    return;
  }
  const std::uint32_t place = place_in_stealable_[number];
  stealable_[place] = stealable_.back();
  place_in_stealable_[stealable_[place]] = place;
  stealable_.pop_back();
}

Frame *Machine::new_frame(const Node &node, Frame *parent, bool is_called) {
  Frame *const frame = pool_.take();
  const std::uint32_t bytes = program_.frame_bytes(node);
  *frame = Frame{.node = node,
                 .parent = parent,
                 .base = parent->prefix,
                 .stack = parent->stack + bytes,
                 .bytes = bytes,
                 .mark = {},
                 .is_called = is_called};
  ++result_.frames;
  ++result_.frames_left;
  live_bytes_ += bytes;
  result_.peak_frames = std::max(result_.peak_frames, result_.frames_left);
  result_.peak_stack = std::max(result_.peak_stack, live_bytes_);
  result_.s1 = std::max(result_.s1, frame->stack);
  return frame;
}

void Machine::free_frame(Frame *frame) noexcept {
  if (faults_.frees_frame(frame->was_stolen)) {
    --result_.frames_left;
    live_bytes_ -= frame->bytes;
  }
  pool_.put_back(frame);
}

}  // namespace nopal::sim
