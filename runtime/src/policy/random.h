// CILK_STEAL=random: uniform, whatever happened before (Blumofe and Leiserson, JACM 1999).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "policy.h"

namespace nopal::policy {

template <Environment Env>
class RandomPolicy {
 public:
  static constexpr bool kHasOwners = false;      // marks are asked for
  static constexpr bool kTimesAttempts = false;  // learn() is told how long each attempt took
  static constexpr bool kUsesTopology = false;   // of the machine; else it may be flat

  struct Shared {
    explicit Shared(const Env &) noexcept {}
  };

  RandomPolicy(Shared &, const Env &environment, WorkerId self, std::uint64_t seed) noexcept
      : environment_(environment), self_(self), random_(seed) {}

  Choice next() noexcept { return {.victim = other_than(self_, environment_.workers(), random_)}; }
  WorkerId victim_at(std::uint32_t k) const noexcept {
    return (self_ + 1 + k) % environment_.workers();
  }
  void learn(const Attempt &) noexcept {}
  Mark stolen(const Attempt &, Mark mark) noexcept { return mark; }
  void path_begins(Mark) noexcept {}
  void path_ends(Mark) noexcept {}

 protected:
  const Env &environment_;
  WorkerId self_;
  typename Env::Random random_;
};

}  // namespace nopal::policy
