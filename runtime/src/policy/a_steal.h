// Parallelism feedback: how many workers a program asks for, decided once a quantum from how much
// of the last one was work (A-STEAL: Agrawal, He, Hsu and Leiserson, TOCS 2008).
//
// One object a process, asked by one worker at a time. Bounds and parameters: README.md,
// "Feedback". Checked by tests/unit/policy_feedback_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

namespace nopal::policy {

/// What a quantum was like.
struct Quantum {
  std::uint32_t desire;       // what was asked for
  std::uint32_t allotted;     // the workers that were active
  std::uint64_t given_ns;     // the time in which they were active, summed over them
  std::uint64_t used_ns;      // work, summed over workers; neither search nor sleep
  std::uint64_t late_ns = 0;  // a worker that was given came too late for what it was called for
  std::uint64_t length_ns;
};

class ASteal {
 public:
  struct Parameters {
    double delta = 0.8;  // an efficient quantum is used to this part
    double rho = 2;      // the factor of growth and decline, > 1
    std::uint64_t quantum_ns = 1'000'000;
    // Not A-STEAL's, which has 0: a growth that brought next to nothing is tried again after 1, 2,
    // 4... efficient quanta, so many at most. Else a program with work for one worker asks for two
    // in every other quantum.
    std::uint32_t longest_wait = 0;
    double next_to_nothing = 0.125;  // of the work done in a time
  };

  /// At most `most`, and `first` to begin with.
  ASteal(Parameters parameters, std::uint32_t most, std::uint32_t first = 1) noexcept
      : parameters_(parameters), most_(most), desire_(first) {}

  const Parameters &parameters() const noexcept { return parameters_; }
  std::uint32_t desire() const noexcept {
    return std::clamp(static_cast<std::uint32_t>(desire_), 1u, most_);
  }

  /// The desire for the next quantum.
  std::uint32_t next_desire(const Quantum &last) noexcept {
    if (static_cast<double>(last.used_ns) < parameters_.delta * given_ns(last))
      shrink(rate_of(last));
    else if (last.allotted >= last.desire)  // efficient and satisfied
      grow(rate_of(last));
    return desire();  // efficient and deprived: as before
  }

 private:
  static double rate_of(const Quantum &last) noexcept {
    return static_cast<double>(last.used_ns) / static_cast<double>(last.length_ns);
  }

  // A worker that comes too late over and over counts if fewer workers would do as much: else the
  // rest would have to pay for it.
  double given_ns(const Quantum &last) const noexcept {
    const double fewer = std::max(1.0, desire_ / parameters_.rho);
    const bool are_enough = rate_of(last) < fewer * (1 + parameters_.next_to_nothing);
    return static_cast<double>(last.given_ns + (are_enough ? last.late_ns : 0));
  }

  void shrink(double rate) noexcept {
    desire_ = std::max(1.0, desire_ / parameters_.rho);
    if (has_grown_) {
      const bool is_wasted = rate < before_growth_ * (1 + parameters_.next_to_nothing);
      const std::uint32_t next = desire() == enough_ ? 2 * wait_ : 1;
      wait_ = is_wasted ? std::min(std::max(1u, next), parameters_.longest_wait) : 0;
      left_ = wait_;
      enough_ = desire();
    }
    has_grown_ = false;
  }

  void grow(double rate) noexcept {
    if (has_grown_ && desire() > enough_) wait_ = left_ = 0;  // what it brought was used
    has_grown_ = false;
    if (desire() >= enough_ && left_ > 0) {
      --left_;
      return;
    }
    if (desire() == most_) return;
    desire_ = std::min<double>(most_, desire_ * parameters_.rho);
    has_grown_ = true;
    before_growth_ = rate;
  }

  Parameters parameters_;
  std::uint32_t most_;
  double desire_;
  bool has_grown_ = false;             // and what it brought is not judged yet
  double before_growth_ = 0;           // the work done in a time, before it grew
  std::uint32_t enough_ = 1;           // the desire beyond which growth brought next to nothing
  std::uint32_t wait_ = 0, left_ = 0;  // ... and efficient quanta until it is tried again
};

}  // namespace nopal::policy
