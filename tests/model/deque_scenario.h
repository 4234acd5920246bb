// One owner and its thieves on the shipped deque, as a scenario for the explorer. Used by deque_model.cpp and mutants_model.cpp.
//
// The owner runs a script: P push, R push the frame again that was popped last (a fresh one if that pop failed), O pop, D drain
// the oldest, E expect a thief, Q pop without its push (a frame of a stack from elsewhere).
// Checked at each step: an element is taken once, by its rightful name, with the content it was pushed with; a pop that fails
// leaves nothing behind; in the end nothing is lost.
#pragma once

#include "../../runtime/src/deque/deque.h"
#include "explorer.h"

#include <algorithm>
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

  // `steals`: for each thief, how often it tries. `named`: each claims by its own name, as it must.
  DequeScenario(FenceMode mode, std::string script, std::vector<int> steals, bool named = true, int64_t capacity = 2)
      : mode_(mode), script_(std::move(script)), steals_(std::move(steals)), named_(named), capacity_(capacity) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    scenario.threads.push_back([this] { run_owner(); });
    for (size_t i = 0; i < steals_.size(); ++i) scenario.threads.push_back([this, i] { run_thief(i, steals_[i]); });
    scenario.check = [this] { check(); };
    return model::explore(scenario);
  }

 private:
  static constexpr size_t kMaxFrames = 8;

  void set_up() {
    deque_ = make<ModelDeque>(mode_, capacity_);
    for (size_t i = 0; i < kMaxFrames; ++i) {
      frames_[i] = make<Frame>();
      taken_[i] = false;
    }
    pushed_ = lost_ = 0;
    nested_.clear();
    popped_ = nullptr;
  }

  void run_owner() {
    typename ModelDeque::Local local = deque_->local();
    for (char step : script_) {
      switch (step) {
        case 'P':
        case 'R':
          frame_of_[pushed_] = step == 'R' && popped_ != nullptr ? popped_ : frames_[pushed_];
          frame_of_[pushed_]->content = content_of(pushed_);
          local.push(frame_of_[pushed_]);
          nested_.push_back(pushed_++);
          break;
        case 'O': {
          const size_t index = nested_.back();
          nested_.pop_back();
          popped_ = nullptr;
          if (local.pop(frame_of_[index])) {
            take(index);
            popped_ = frame_of_[index];
          } else {
            require(local.is_empty(), "a pop failed and left something behind");
            lost_ = std::max(lost_, index + 1);  // a thief that has it may not have come back from its steal yet
          }
          break;
        }
        case 'Q':
          // The address of any frame may come back: take one that was pushed here before, if there is one.
          require(!local.pop(frames_[0]), "a pop without its push succeeded");
          break;
        case 'E':
          local.expect_thief();
          break;
        case 'D':
          if (Frame *frame = local.drain_oldest()) take(index_of(frame));
          break;
      }
    }
  }

  void run_thief(size_t thief, int tries) {
    for (int i = 0; i < tries; ++i) {
      const StealResult<Frame> result = deque_->steal().steal(frames_[named_ ? thief : 0]);
      require((result.frame != nullptr) == (result.outcome == StealOutcome::kStolen), "an outcome without its frame");
      if (result.frame == nullptr) continue;
      const size_t index = index_of(result.frame);
      require(index < pushed_ && frame_of_[index] == result.frame, "a thief does not see what was written before the push");
      take(index);
    }
  }

  void check() {
    for (size_t i = 0; i < lost_; ++i) require(taken_[i], "a pop failed, but that element or an older one was not taken");
    while (Frame *frame = deque_->local().drain_oldest()) take(index_of(frame));
    for (size_t i = 0; i < pushed_; ++i) require(taken_[i], "an element was lost");
  }

  void take(size_t index) {
    require(index < pushed_, "an element that was not pushed");
    require(!taken_[index], "an element was taken twice");
    taken_[index] = true;
  }
  // Which push the frame is of; whoever has it knows by its content.
  static size_t index_of(const Frame *frame) { return static_cast<size_t>(frame->content.load_relaxed() - content_of(0)); }
  static int64_t content_of(size_t index) { return 100 + static_cast<int64_t>(index); }

  const FenceMode mode_;
  const std::string script_;
  const std::vector<int> steals_;
  const bool named_;
  const int64_t capacity_;
  ModelDeque *deque_ = nullptr;
  Frame *frames_[kMaxFrames] = {};
  Frame *frame_of_[kMaxFrames] = {};  // by push
  Frame *popped_ = nullptr;           // popped last, and not lost
  bool taken_[kMaxFrames] = {};
  size_t pushed_ = 0;
  size_t lost_ = 0;  // all before this one are thieves', or the owner has drained them
  std::vector<size_t> nested_;  // pushed and not popped, oldest first
};

}  // namespace nopal::model
