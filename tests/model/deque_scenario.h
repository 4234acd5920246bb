// One owner and its thieves on the shipped deque, as a scenario for the explorer. Used by deque_model.cpp and mutants_model.cpp.
//
// The owner runs a script: P push, O pop, D drain the oldest, Q pop without its push (a frame of a stack from elsewhere).
// Checked at each step: an element is taken once, by its rightful name, with the content it was pushed with; a pop that fails
// leaves nothing behind; in the end nothing is lost.
#pragma once

#include "../../runtime/src/deque/deque.h"
#include "explorer.h"

#include <string>
#include <vector>

namespace nopal::model {

template <class Atoms>
class DequeScenario {
 public:
  struct Frame {
    Word<int64_t> content;
  };
  using ModelDeque = Deque<Frame, Atoms>;

  // `steals`: for each thief, how often it tries.
  DequeScenario(FenceMode mode, std::string script, std::vector<int> steals)
      : mode_(mode), script_(std::move(script)), steals_(std::move(steals)) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    scenario.threads.push_back([this] { run_owner(); });
    for (int tries : steals_) scenario.threads.push_back([this, tries] { run_thief(tries); });
    scenario.check = [this] { check(); };
    return model::explore(scenario);
  }

 private:
  static constexpr int64_t kCapacity = 2;
  static constexpr size_t kMaxFrames = 8;

  void set_up() {
    deque_ = make<ModelDeque>(mode_, kCapacity);
    for (size_t i = 0; i < kMaxFrames; ++i) {
      frames_[i] = make<Frame>();
      taken_[i] = false;
    }
    pushed_ = 0;
    nested_.clear();
  }

  void run_owner() {
    typename ModelDeque::Local local = deque_->local();
    for (char step : script_) {
      switch (step) {
        case 'P':
          frames_[pushed_]->content = content_of(pushed_);
          local.push(frames_[pushed_]);
          nested_.push_back(pushed_++);
          break;
        case 'O': {
          const size_t index = nested_.back();
          nested_.pop_back();
          if (local.pop()) {
            take(index);
          } else {
            require(local.is_empty(), "a pop failed and left something behind");
            for (size_t i = 0; i <= index; ++i) require(taken_[i], "a pop failed, but an older element was not taken");
          }
          break;
        }
        case 'Q':
          require(!local.pop(), "a pop without its push succeeded");
          break;
        case 'D':
          if (Frame *frame = local.drain_oldest()) take(index_of(frame));
          break;
      }
    }
  }

  void run_thief(int tries) {
    for (int i = 0; i < tries; ++i) {
      const StealResult<Frame> result = deque_->steal().steal();
      require((result.frame != nullptr) == (result.outcome == StealOutcome::kStolen), "an outcome without its frame");
      if (result.frame == nullptr) continue;
      const size_t index = index_of(result.frame);
      take(index);
      require(result.frame->content == content_of(index), "a thief does not see what was written before the push");
    }
  }

  void check() {
    while (Frame *frame = deque_->local().drain_oldest()) take(index_of(frame));
    for (size_t i = 0; i < pushed_; ++i) require(taken_[i], "an element was lost");
  }

  void take(size_t index) {
    require(index < pushed_, "an element that was not pushed");
    require(!taken_[index], "an element was taken twice");
    taken_[index] = true;
  }
  size_t index_of(const Frame *frame) const {
    for (size_t i = 0; i < kMaxFrames; ++i)
      if (frames_[i] == frame) return i;
    return kMaxFrames;
  }
  static int64_t content_of(size_t index) { return 100 + static_cast<int64_t>(index); }

  const FenceMode mode_;
  const std::string script_;
  const std::vector<int> steals_;
  ModelDeque *deque_ = nullptr;
  Frame *frames_[kMaxFrames] = {};
  bool taken_[kMaxFrames] = {};
  size_t pushed_ = 0;
  std::vector<size_t> nested_;  // pushed and not popped, oldest first
};

}  // namespace nopal::model
