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
  std::uint32_t desire;    // what was asked for
  std::uint32_t allotted;  // the workers that were active
  std::uint64_t given_ns;  // the time in which they were active, summed over them
  std::uint64_t used_ns;   // work, summed over workers; neither search nor sleep
};

class ASteal {
 public:
  struct Parameters {
    double delta = 0.8;  // an efficient quantum is used to this part
    double rho = 2;      // the factor of growth and decline, > 1
    std::uint64_t quantum_ns = 1'000'000;
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
    if (static_cast<double>(last.used_ns) < parameters_.delta * static_cast<double>(last.given_ns))
      desire_ = std::max(1.0, desire_ / parameters_.rho);  // inefficient
    else if (last.allotted >= last.desire)
      desire_ = std::min<double>(most_, desire_ * parameters_.rho);  // efficient and satisfied
    return desire();  // efficient and deprived: as before
  }

 private:
  Parameters parameters_;
  std::uint32_t most_;
  double desire_;
};

}  // namespace nopal::policy
