// CILK_STEAL=nearest: from the smallest group of the topology outwards, with a part of the attempts
// uniform, which keeps the bound on steals. The proof: README.md, "nearest".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "policy.h"

namespace nopal::policy {

template <Environment Env>
class NearestPolicy {
 public:
  // Four times as many: thieves leave their node too early. A fourth: at the end of a node's work
  // its thieves find other nodes' work four times as late.
  static constexpr double kUniform = 1.0 / 8;

  static constexpr bool kHasOwners = false;
  static constexpr bool kTimesAttempts = false;
  static constexpr bool kUsesTopology = true;

  struct Shared {
    explicit Shared(const Env &) noexcept {}
  };

  NearestPolicy(Shared &, const Env &environment, WorkerId self, std::uint64_t seed) noexcept
      : environment_(environment), self_(self), random_(seed) {}

  Choice next() noexcept {
    const std::uint32_t workers = environment_.workers();
    if (random_.chance(kUniform)) return {.victim = other_than(self_, workers, random_)};
    const Topology &topology = environment_.topology();
    std::uint32_t size = topology.size(level_, self_, workers);
    while (size < 2) {  // the last level has all
      size = topology.size(++level_, self_, workers);
      attempts_ = 0;
    }
    return {.victim = topology.other(level_, self_, random_.below(size - 1), workers)};
  }

  /// Nearest first.
  WorkerId victim_at(std::uint32_t k) const noexcept {
    return environment_.topology().by_distance(self_, k, environment_.workers());
  }

  /// Stays at a level for about as many attempts as the group has workers, then goes outwards;
  /// after a steal, or an attempt at every level, begins again.
  void learn(const Attempt &attempt) noexcept {
    if (attempt.outcome == Outcome::kStolen) {
      level_ = attempts_ = 0;
      return;
    }
    const Topology &topology = environment_.topology();
    if (++attempts_ < topology.size(level_, self_, environment_.workers())) return;
    attempts_ = 0;
    level_ = level_ + 1 < topology.levels() ? level_ + 1 : 0;
  }

  Mark stolen(const Attempt &, Mark mark) noexcept { return mark; }
  void path_begins(Mark) noexcept {}
  void path_ends(Mark) noexcept {}

 private:
  const Env &environment_;
  WorkerId self_;
  typename Env::Random random_;
  std::uint32_t level_ = 0, attempts_ = 0;  // at that level since the last steal
};

}  // namespace nopal::policy
