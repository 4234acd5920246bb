// Owners and a poller that sets its alarm, on the shipped alarm and deque, as a scenario for the
// explorer. Used by alarm_model.cpp and mutants_model.cpp.
//
// An owner runs a script: P push (a slow one looks at the alarm), O pop, D drain the oldest, Q pop
// without its push. The poller, `rounds` times: sets its alarm, makes all pushes slow, looks; if it
// sees nothing it sleeps, in the last round for ever, before that until a time that may come at any
// moment. Checked in the end, if it sleeps and nobody has called: no push that was slow or had been
// there when all pushes were slow was overlooked (one that has read its limit before may be), and
// the next push of each deque calls. And in all cases: as many calls as alarms that were taken.
#pragma once

#include "../../runtime/src/deque/deque.h"
#include "../../runtime/src/idle/alarm.h"
#include "explorer.h"

#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace nopal::model {

// What the poller, or an owner, may get wrong.
enum class Wrong : uint8_t {
  kNothing,
  kSlowBeforeSet,
  kReadsBeforeSet,
  kLooksBeforeSlow,
  kAsksBeforePush
};

template <class Atoms>
class AlarmScenario {
 public:
  struct Frame {
    Word<int64_t> content;
  };
  using ModelDeque = Deque<Frame, Atoms>;

  AlarmScenario(std::vector<std::string> scripts, int rounds, Wrong wrong = Wrong::kNothing,
                FenceMode mode = FenceMode::kAsymmetric)
      : scripts_(std::move(scripts)), rounds_(rounds), wrong_(wrong), mode_(mode) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    for (size_t i = 0; i < scripts_.size(); ++i)
      scenario.threads.push_back([this, i] { run_owner(now_.owners[i], scripts_[i]); });
    scenario.threads.push_back([this] { run_poller(); });
    scenario.check = [this] { check(); };
    scenario.state = &now_;
    scenario.state_bytes = sizeof now_;
    scenario.can_be_restored = true;
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
    now_ = {};
    now_.alarm = make<Alarm<Atoms>>();
    for (Owner &owner : owners()) {
      owner.deque = make<ModelDeque>(mode_, 4);
      for (Frame *&frame : owner.frames) frame = make<Frame>();
    }
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
        require(owner.deque->local().drain_oldest() != nullptr,
                "nothing was there to be drained, and nobody steals here");
      } else if (step == 'Q') {
        require(!owner.deque->local().pop(owner.frames[0]), "a pop without its push succeeded");
      } else {
        --owner.depth;
        require(owner.deque->local().pop(owner.frames[owner.depth]),
                "a pop failed, and nobody steals here");
      }
    }
  }

  void pushed() {
    const auto taken = now_.alarm->push();
    now_.calls += taken != Alarm<Atoms>::kNotSet;
    now_.wakes += taken == Alarm<Atoms>::kAsleep;
  }

  void make_pushes_slow() {
    for (Owner &owner : owners()) owner.deque->make_next_push_slow();
  }
  bool sees_something() {
    for (Owner &owner : owners())
      if (owner.deque->steal().is_stealable()) return true;
    return false;
  }

  void run_poller() {
    for (int round = 1; round <= rounds_; ++round) {
      if (wrong_ == Wrong::kSlowBeforeSet) make_pushes_slow();
      bool is_low[kMaxOwners] = {};
      for (size_t i = 0; i < owners().size() && wrong_ == Wrong::kReadsBeforeSet; ++i)
        is_low[i] = now_.owners[i].deque->limit.load_relaxed() == ModelDeque::kAlwaysSlow;
      now_.alarm->set();
      bool sees = wrong_ == Wrong::kLooksBeforeSlow && sees_something();
      if (wrong_ == Wrong::kReadsBeforeSet) {
        for (size_t i = 0; i < owners().size(); ++i)
          if (!is_low[i]) now_.owners[i].deque->limit.store_relaxed(ModelDeque::kAlwaysSlow);
      } else if (wrong_ != Wrong::kSlowBeforeSet) {
        make_pushes_slow();
      }
      now_.alarm->pushes_are_slow();
      now_.was_there = sees_something();
      if (wrong_ != Wrong::kLooksBeforeSlow) sees = now_.was_there;
      now_.sleeps = !sees && now_.alarm->fall_asleep() && round == rounds_;
      if (!now_.sleeps) now_.taken += now_.alarm->reset();
    }
  }

  void check() {
    if (now_.sleeps) {
      if (now_.alarm->is_asleep()) {
        for (const Owner &owner : owners())
          for (size_t i = 0; i < owner.depth; ++i) {
            require(!owner.was_slow[i], "a slow push was overlooked");
            require(!now_.was_there, "what was there was overlooked");
          }
        for (Owner &owner : owners()) {
          const int before = now_.wakes;
          push(owner);
          require(now_.wakes == before + 1,
                  "the poller sleeps, and the next push does not call it");
          now_.alarm->set();
          now_.alarm->fall_asleep();
        }
        now_.calls -= static_cast<int>(owners().size());
        require(now_.alarm->is_asleep(), "an alarm that nobody sets");
      } else {
        require(now_.wakes > 0, "the poller sleeps, and who has taken its alarm does not wake it");
        ++now_.taken;
      }
    }
    require(now_.calls == now_.taken, "calls and alarms taken differ");
  }

  const std::vector<std::string> scripts_;
  const int rounds_;
  const Wrong wrong_;
  const FenceMode mode_;

  struct State {
    Alarm<Atoms> *alarm = nullptr;
    Owner owners[kMaxOwners];
    int calls = 0;           // alarms taken by all owners
    int wakes = 0;           // and of these, while the poller slept
    int taken = 0;           // as the poller finds it
    bool was_there = false;  // when all pushes were slow there was something to see
    bool sleeps = false;
  };
  static_assert(std::is_trivially_copyable_v<State>);
  State now_;

  std::span<Owner> owners() { return {now_.owners, scripts_.size()}; }
};

}  // namespace nopal::model
