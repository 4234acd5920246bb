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

  struct Shared {
    explicit Shared(const Env &) noexcept {}
  };

  NearestPolicy(Shared &, const Env &environment, WorkerId self, std::uint64_t seed) noexcept
      : environment_(environment), self_(self), random_(seed) {}

  Choice next() noexcept {
    const std::uint32_t workers = environment_.workers();
    if (random_.chance(kUniform)) return {.victim = other_than(self_, workers, random_)};
    const Topology::Group group = environment_.topology().group(level_, self_);
    if (group.size() < 2) return {.victim = other_than(self_, workers, random_)};
    const WorkerId victim = group.begin + other_than(self_ - group.begin, group.size(), random_);
    if (victim < workers) return {.victim = victim};
    return {.victim = other_than(self_, workers, random_)};
  }

  /// Nearest first.
  WorkerId look(std::uint32_t k) const noexcept {
    return environment_.topology().by_distance(self_, k);
  }

  /// Stays at a level for about as many attempts as the group has workers, then goes outwards;
  /// after a steal, or an attempt at every level, begins again.
  void learn(const Attempt &attempt) noexcept {
    if (attempt.outcome == Outcome::kStolen) {
      level_ = attempts_ = 0;
      return;
    }
    if (++attempts_ < environment_.topology().group(level_, self_).size()) return;
    attempts_ = 0;
    level_ = level_ + 1 < environment_.topology().levels() ? level_ + 1 : 0;
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
