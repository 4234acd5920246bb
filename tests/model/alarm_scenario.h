// Owners and a poller that sets its alarm, on the shipped alarm and deque, as a scenario for the explorer. Used by alarm_model.cpp and
// mutants_model.cpp.
//
// An owner runs a script: P push (a slow one looks at the alarm), O pop, D drain the oldest, Q pop without its push. The poller, `rounds` times: sets its alarm, makes all pushes slow, looks; if it
// sees nothing it sleeps, in the last round for ever, before that until a time that may come at any moment. Checked in the end, if it sleeps and nobody
// has called: no push that was slow or had been there when all pushes were slow was overlooked (one that has read its limit before may be), and the next
// push of each deque calls. And in all cases: as many calls as alarms that were taken.
#pragma once

#include "../../runtime/src/deque/deque.h"
#include "../../runtime/src/sleep/alarm.h"
#include "explorer.h"

#include <string>
#include <vector>

namespace nopal::model {

// What the poller, or an owner, may get wrong.
enum class Wrong : uint8_t { kNothing, kSlowBeforeSet, kReadsBeforeSet, kLooksBeforeSlow, kAsksBeforePush };

template <class Atoms>
class AlarmScenario {
 public:
  struct Frame {
    Word<int64_t> content;
  };
  using ModelDeque = Deque<Frame, Atoms>;

  AlarmScenario(std::vector<std::string> scripts, int rounds, Wrong wrong = Wrong::kNothing, FenceMode mode = FenceMode::kAsymmetric)
      : scripts_(std::move(scripts)), rounds_(rounds), wrong_(wrong), mode_(mode) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    for (size_t i = 0; i < scripts_.size(); ++i) scenario.threads.push_back([this, i] { run_owner(owners_[i], scripts_[i]); });
    scenario.threads.push_back([this] { run_poller(); });
    scenario.check = [this] { check(); };
    return model::explore(scenario);
  }

 private:
  static constexpr size_t kMaxFrames = 4, kMaxOwners = 3;

  struct Owner {
    ModelDeque *deque = nullptr;
    Frame *frames[kMaxFrames] = {};
    bool was_slow[kMaxFrames] = {};  // the push of each that is in the deque
    size_t depth = 0;
  };

  void set_up() {
    alarm_ = make<Alarm<Atoms>>();
    owners_.assign(scripts_.size(), {});
    for (Owner &owner : owners_) {
      owner.deque = make<ModelDeque>(mode_, 4);
      for (Frame *&frame : owner.frames) frame = make<Frame>();
    }
    calls_ = wakes_ = taken_ = 0;
    was_there_ = sleeps_ = false;
  }

  void push(Owner &owner) {
    const size_t index = owner.depth++;
    owner.was_slow[index] = false;
    auto local = owner.deque->local();
    local.push_fast(owner.frames[index], [&](Frame *frame) {
      if (local.push_out_of_line(frame)) return;
      owner.was_slow[index] = true;
      if (wrong_ == Wrong::kAsksBeforePush) pushed();
      local.push_slow(frame);
      if (wrong_ != Wrong::kAsksBeforePush) pushed();
    });
  }

  void run_owner(Owner &owner, const std::string &script) {
    for (const char step : script) {
      if (step == 'P') {
        push(owner);
      } else if (step == 'D') {
        --owner.depth;
        require(owner.deque->local().drain_oldest() != nullptr, "nothing was there to be drained, and nobody steals here");
      } else if (step == 'Q') {
        require(!owner.deque->local().pop(owner.frames[0]), "a pop without its push succeeded");
      } else {
        --owner.depth;
        require(owner.deque->local().pop(owner.frames[owner.depth]), "a pop failed, and nobody steals here");
      }
    }
  }

  void pushed() {
    const auto taken = alarm_->push();
    calls_ += taken != Alarm<Atoms>::kNotSet;
    wakes_ += taken == Alarm<Atoms>::kAsleep;
  }

  void make_pushes_slow() {
    for (Owner &owner : owners_) owner.deque->make_next_push_slow();
  }
  bool sees_something() {
    for (Owner &owner : owners_)
      if (owner.deque->steal().is_stealable()) return true;
    return false;
  }

  void run_poller() {
    for (int round = 1; round <= rounds_; ++round) {
      if (wrong_ == Wrong::kSlowBeforeSet) make_pushes_slow();
      bool is_low[kMaxOwners] = {};
      for (size_t i = 0; i < owners_.size() && wrong_ == Wrong::kReadsBeforeSet; ++i)
        is_low[i] = owners_[i].deque->limit.load_relaxed() == ModelDeque::kAlwaysSlow;
      alarm_->set();
      bool sees = wrong_ == Wrong::kLooksBeforeSlow && sees_something();
      if (wrong_ == Wrong::kReadsBeforeSet) {
        for (size_t i = 0; i < owners_.size(); ++i)
          if (!is_low[i]) owners_[i].deque->limit.store_relaxed(ModelDeque::kAlwaysSlow);
      } else if (wrong_ != Wrong::kSlowBeforeSet) {
        make_pushes_slow();
      }
      alarm_->pushes_are_slow();
      was_there_ = sees_something();
      if (wrong_ != Wrong::kLooksBeforeSlow) sees = was_there_;
      sleeps_ = !sees && alarm_->fall_asleep() && round == rounds_;
      if (!sleeps_) taken_ += alarm_->reset();
    }
  }

  void check() {
    if (sleeps_) {
      if (alarm_->is_asleep()) {
        for (const Owner &owner : owners_)
          for (size_t i = 0; i < owner.depth; ++i) {
            require(!owner.was_slow[i], "a slow push was overlooked");
            require(!was_there_, "what was there was overlooked");
          }
        for (Owner &owner : owners_) {
          const int before = wakes_;
          push(owner);
          require(wakes_ == before + 1, "the poller sleeps, and the next push does not call it");
          alarm_->set();
          alarm_->fall_asleep();
        }
        calls_ -= static_cast<int>(owners_.size());
        require(alarm_->is_asleep(), "an alarm that nobody sets");
      } else {
        require(wakes_ > 0, "the poller sleeps, and who has taken its alarm does not wake it");
        ++taken_;
      }
    }
    require(calls_ == taken_, "calls and alarms taken differ");
  }

  const std::vector<std::string> scripts_;
  const int rounds_;
  const Wrong wrong_;
  const FenceMode mode_;
  Alarm<Atoms> *alarm_ = nullptr;
  std::vector<Owner> owners_;
  int calls_ = 0;  // alarms taken by all owners
  int wakes_ = 0;  // and of these, while the poller slept
  int taken_ = 0;  // as the poller finds it
  bool was_there_ = false;  // when all pushes were slow there was something to see
  bool sleeps_ = false;
};

}  // namespace nopal::model
