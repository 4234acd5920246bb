// Errors that the tests put into a run, each against one law (laws.cpp).
//
// The machine asks at each place where one of them strikes. Without a fault all answers are what
// the model says, and an answer costs a comparison. Checked by tests/sim/laws_test.cpp and
// tests/sim/waits_test.cpp: each is found.
#pragma once

#include <cstdint>

#include "result.h"
#include "timing_wheel.h"

namespace nopal::sim {

enum class Fault : std::uint8_t {
  kNone,
  kLoseChild,    // a thief takes a continuation and does not count its child
  kForgetWork,   // some strands are not metered
  kFastClock,    // a worker's strands take half their time
  kKeepFrames,   // frames of stolen continuations are not freed
  kSlowGreedy,   // the greedy schedule leaves some workers idle
  kLoseTime,     // a worker's failed attempts are not metered
  kStayOnStack,  // who joins last goes on with the frame on the wrong stack
  kForgetBack,   // a policy is not told how one steal-back ended
};

class FaultInjector {
 public:
  explicit FaultInjector(Fault fault) noexcept : fault_(fault) {}

  /// Whether a thief counts the child. `frames_stolen`: before this steal.
  bool counts_child(std::uint64_t frames_stolen) const noexcept {
    return fault_ != Fault::kLoseChild || frames_stolen != kStealsBeforeLost;
  }
  /// Whether a strand that begins at that event counts as work.
  bool meters_strand(std::uint64_t event) const noexcept {
    if (fault_ != Fault::kForgetWork) [[likely]]
      return true;
    return event % kOneForgottenIn != 0;
  }
  /// What the worker's clock says of a strand.
  Time clocked(Time takes) const noexcept {
    return fault_ == Fault::kFastClock ? takes / 2 : takes;
  }
  bool frees_frame(bool was_stolen) const noexcept {
    return fault_ != Fault::kKeepFrames || !was_stolen;
  }
  /// Whether the greedy schedule lets the worker have no work.
  bool keeps_idle(std::uint32_t worker) const noexcept {
    return fault_ == Fault::kSlowGreedy && worker % kOneIdleIn == 1;
  }
  bool meters_activity(std::uint32_t worker, Activity activity) const noexcept {
    if (fault_ != Fault::kLoseTime) [[likely]]
      return true;
    return activity != Activity::kFail || worker != kUnmeteredWorker;
  }
  /// Whether who joins last goes to the stack of the frame.
  bool changes_stack() const noexcept { return fault_ != Fault::kStayOnStack; }
  /// Whether the policy is told how an attempt ended. `back_attempts`: so far, this one among them.
  bool tells(bool is_steal_back, std::uint64_t back_attempts) const noexcept {
    return fault_ != Fault::kForgetBack || !is_steal_back || back_attempts != kUntoldBack;
  }

 private:
  // Any would do: the runs of the tests have so many frames stolen, events and workers.
  static constexpr std::uint64_t kStealsBeforeLost = 20;
  static constexpr std::uint64_t kOneForgottenIn = 1'000;  // events
  static constexpr std::uint32_t kOneIdleIn = 3;           // workers
  static constexpr std::uint32_t kUnmeteredWorker = 1;
  static constexpr std::uint64_t kUntoldBack = 10;

  Fault fault_;
};

}  // namespace nopal::sim
