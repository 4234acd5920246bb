// Which victim to steal from next: the one place that knows.
//
// Each worker owns a Victims object and asks it in its search; the answer is the index of a worker.
// Uniform random is the only policy, and the only value of CILK_STEAL (config/table.cpp). What a
// policy must keep: README.md. Checked by tests/unit/victim_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_VICTIM_H
#define NOPAL_WORKER_VICTIM_H

#include "../deque/deque.h"
#include "random.h"

#include <cstdint>

namespace nopal {

/// Uniform random (Blumofe and Leiserson): each other worker with the same probability, whatever
/// happened before. Owner only.
class RandomVictims {
 public:
  /// `self`: the thief's index.
  RandomVictims(std::uint32_t self, std::uint64_t seed) noexcept
      : self_(self), random_(seed ^ (std::uint64_t{self} << 32)) {}

  /// The worker to try next, in [0, workers) and never `self`. workers >= 2. Cost: a multiplication
  /// or two.
  std::uint32_t next(std::uint32_t workers) noexcept {
    const std::uint32_t other = random_.below(workers - 1);
    return other < self_ ? other : other + 1;
  }

  /// Tells the policy how the attempt at `victim` ended.
  void learn(std::uint32_t victim, StealOutcome outcome) noexcept {
    (void)victim;
    (void)outcome;
  }

 private:
  std::uint32_t self_;
  Random random_;
};

using Victims = RandomVictims;

}  // namespace nopal

#endif
