// One owner and its thieves on the shipped deque, as a scenario for the explorer. Used by
// deque_model.cpp, several_model.cpp, arm_model.cpp and mutants_model.cpp.
//
// The owner runs a script: P push, R push the frame again that was popped last (a fresh one if that
// pop failed), O pop, N pop the newest, D drain the oldest, E expect a thief, F begin with
// fenced pops, Q pop without its push (a frame of a stack from elsewhere). A thief takes several
// elements at once if the scenario says so. Checked at each step: an element is taken once, by its
// rightful name, with the content it was pushed with; a pop that fails leaves nothing after; in the
// end nothing is lost.
#pragma once

#include "../../runtime/src/deque/deque.h"
#include "explorer.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace nopal::model {

/// As a part of a test's name.
inline const char *name_of(FenceMode mode) {
  return mode == FenceMode::kAsymmetric ? "Asymmetric"
         : mode == FenceMode::kFull     ? "Full"
                                        : "Adaptive";
}

template <class Atoms>
class DequeScenario {
 public:
  struct Frame {
    Word<int64_t> content;
  };
  using ModelDeque = Deque<Frame, Atoms>;

  // `steals`: for each thief, how often it tries. `named`: each claims by its own name, as it must.
  DequeScenario(FenceMode mode, std::string script, std::vector<int> steals, bool named = true,
                int64_t capacity = 2)
      : mode_(mode),
        script_(std::move(script)),
        steals_(std::move(steals)),
        named_(named),
        capacity_(capacity) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    scenario.threads.push_back([this] { run_owner(); });
    for (size_t i = 0; i < steals_.size(); ++i)
      scenario.threads.push_back([this, i] { run_thief(i, steals_[i]); });
    scenario.check = [this] { check(); };
    scenario.state = &now_;
    scenario.state_bytes = sizeof now_;
    scenario.can_be_restored = !replays_;
    return model::explore(scenario);
  }
  // For a test of the explorer.
  void replay() { replays_ = true; }
  // How many elements each thief wants at a steal. 0: one, by steal().
  void take_several(std::vector<int64_t> wanted) { wanted_ = std::move(wanted); }

 private:
  static constexpr size_t kMaxFrames = 8;

  void set_up() {
    now_ = {};
    now_.deque = make<ModelDeque>(mode_, capacity_);
    for (Frame *&frame : now_.frames) frame = make<Frame>();
  }

  void run_owner() {
    typename ModelDeque::Local local = now_.deque->local();
    for (char step : script_) {
      switch (step) {
        case 'P':
        case 'R':
          now_.frame_of[now_.pushed] =
              step == 'R' && now_.popped != nullptr ? now_.popped : now_.frames[now_.pushed];
          now_.frame_of[now_.pushed]->content = content_of(now_.pushed);
          local.push(now_.frame_of[now_.pushed]);
          now_.nested[now_.depth++] = now_.pushed++;
          break;
        case 'O': {
          const size_t index = now_.nested[--now_.depth];
          now_.popped = nullptr;
          if (local.pop(now_.frame_of[index])) {
            take(index);
            now_.popped = now_.frame_of[index];
          } else {
            require(local.is_empty(), "a pop failed and left something after");
            now_.lost = std::max(
                now_.lost,
                index + 1);  // a thief that has it may not have come back from its steal yet
          }
          break;
        }
        case 'Q':
          // The address of any frame may come back: take one that was pushed here before, if there
          // is one.
          require(!local.pop(now_.frames[0]), "a pop without its push succeeded");
          break;
        case 'N': {
          const bool has_one = now_.depth > 0;
          Frame *const frame = local.pop_newest();
          require(has_one || frame == nullptr, "a pop of the newest found what was not pushed");
          if (!has_one) break;
          const size_t index = now_.nested[--now_.depth];
          if (frame != nullptr) {
            require(frame == now_.frame_of[index], "a pop of the newest found another element");
            take(index);
          } else {
            require(local.is_empty(), "a pop of the newest failed and left something");
            now_.lost = std::max(now_.lost, index + 1);
            now_.depth = 0;  // the older ones are gone, too, and nobody pops them
          }
          break;
        }
        case 'E':
          local.expect_thief();
          break;
        case 'F':
          local.begin_fenced();
          break;
        case 'D':
          if (Frame *frame = local.drain_oldest()) take(index_of(frame));
          break;
      }
    }
  }

  void run_thief(size_t thief, int tries) {
    for (int i = 0; i < tries; ++i) {
      if (thief < wanted_.size() && wanted_[thief] != 0) {
        steal_several(now_.frames[named_ ? thief : 0], wanted_[thief]);
        continue;
      }
      const StealResult<Frame> result = now_.deque->steal().steal(now_.frames[named_ ? thief : 0]);
      require((result.frame != nullptr) == (result.outcome == StealOutcome::kStolen),
              "an outcome without its frame");
      if (result.frame == nullptr) continue;
      const size_t index = index_of(result.frame);
      require(index < now_.pushed && now_.frame_of[index] == result.frame,
              "a thief does not see what was written before the push");
      take(index);
    }
  }

  void steal_several(const Frame *name, int64_t wanted) {
    Frame *taken[kMaxFrames];
    const StealSeveralResult result = now_.deque->steal().steal_several(
        name, taken, kMaxFrames, [wanted](int64_t) { return wanted; },
        [](Frame *) { return true; });
    require((result.count > 0) == (result.outcome == StealOutcome::kStolen),
            "an outcome without its frames");
    for (int64_t i = 0; i < result.count; ++i) {
      const size_t index = index_of(taken[i]);
      require(index < now_.pushed && now_.frame_of[index] == taken[i],
              "a thief does not see what was written before the push");
      require(i == 0 || index > index_of(taken[i - 1]), "a thief has the order wrong");
      take(index);
    }
  }

  void check() {
    for (size_t i = 0; i < now_.lost; ++i)
      require(now_.taken[i], "a pop failed, but that element or an older one was not taken");
    while (Frame *frame = now_.deque->local().drain_oldest()) take(index_of(frame));
    for (size_t i = 0; i < now_.pushed; ++i) require(now_.taken[i], "an element was lost");
  }

  void take(size_t index) {
    require(index < now_.pushed, "an element that was not pushed");
    require(!now_.taken[index], "an element was taken twice");
    now_.taken[index] = true;
  }
  // Which push the frame is of; whoever has it knows by its content.
  static size_t index_of(const Frame *frame) {
    return static_cast<size_t>(frame->content.load_relaxed() - content_of(0));
  }
  static int64_t content_of(size_t index) { return 100 + static_cast<int64_t>(index); }

  const FenceMode mode_;
  const std::string script_;
  const std::vector<int> steals_;
  const bool named_;
  const int64_t capacity_;
  bool replays_ = false;
  std::vector<int64_t> wanted_;

  static constexpr size_t kMaxPushes = kMaxFrames;
  struct State {
    ModelDeque *deque = nullptr;
    Frame *frames[kMaxFrames] = {};
    Frame *frame_of[kMaxPushes] = {};  // by push
    Frame *popped = nullptr;           // popped last, and not lost
    bool taken[kMaxPushes] = {};
    size_t pushed = 0;
    size_t lost = 0;  // all before this one are thieves', or the owner has drained them
    size_t nested[kMaxPushes] = {};  // pushed and not popped, oldest first
    size_t depth = 0;                // how many of them
  };
  static_assert(std::is_trivially_copyable_v<State>);
  State now_;
};

}  // namespace nopal::model
