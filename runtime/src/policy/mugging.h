// CILK_STEAL=mugging: as localized, but a steal-back takes all that the helper does not run, up to
// kMostTaken. What is more stays with the helper. So a general steal leads to one steal-back at
// most.
//
// The paper's second variant takes what the helper runs too. It cannot be: nobody can stop a
// thread in the midst of C++ code and go on with its registers and its place on the stack
// elsewhere.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "localized.h"

namespace nopal::policy {

template <Environment Env>
class MuggingPolicy : public LocalizedPolicy<Env> {
 public:
  using LocalizedPolicy<Env>::LocalizedPolicy;

  Choice next() noexcept {
    Choice choice = LocalizedPolicy<Env>::next();
    if (choice.is_steal_back()) choice.amount = Amount::kAll;
    return choice;
  }

  /// The name goes however the steal-back ended: it was added by one general steal.
  void learn(const Attempt &attempt) noexcept {
    if (attempt.choice.is_steal_back())
      this->shared_.lists.remove(this->self_, attempt.choice.victim);
  }
};

}  // namespace nopal::policy
