// CILK_STEAL=half: a uniform victim loses the older half of its deque (Hendler and Shavit, PODC
// 2002). Why the space bound stays: README.md, "What becomes of the space".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "random.h"

namespace nopal::policy {

template <Environment Env>
class HalfPolicy : public RandomPolicy<Env> {
 public:
  using RandomPolicy<Env>::RandomPolicy;

  Choice next() noexcept {
    return {.victim = RandomPolicy<Env>::next().victim, .amount = Amount::kHalf};
  }
};

}  // namespace nopal::policy
