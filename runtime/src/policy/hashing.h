// CILK_STEAL=hashing: a general steal first draws an owner, uniformly from those whose work is
// being run, and then one of the workers that run it. So thieves do not pile up on one owner's
// work.
//
// Suksompong, Leiserson and Schardl, section 5. The lists say who runs whose work now: each worker
// adds and removes its own name. Checked by tests/unit/policy_hashing_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "localized.h"

namespace nopal::policy {

template <Environment Env>
class HashingPolicy : public LocalizedPolicy<Env> {
  using Base = LocalizedPolicy<Env>;

 public:
  static constexpr std::uint32_t kDraws = 128;  // of owners, before a uniform victim is tried

  using Base::Base;

  Choice next() noexcept {
    const std::uint32_t workers = this->environment_.workers();
    const std::uint32_t owners = std::min(workers, this->environment_.most_workers());
    auto &shared = this->shared_;
    if (!this->random_.chance(shared.general_part)) {
      const WorkerId helper = shared.lists.draw(this->self_, this->self_, this->random_);
      if (helper != kNobody) return {.victim = helper, .only_of = this->self_};
      for (std::uint32_t draws = 0; draws < kDraws; ++draws) {
        const WorkerId owner = this->random_.below(owners);
        if (shared.on_work[owner].load_relaxed() == 0) continue;
        const WorkerId victim = shared.lists.draw(owner, this->self_, this->random_);
        if (victim != kNobody) return {.victim = victim, .is_drawn = true};
      }
    }
    return {.victim = other_than(this->self_, workers, this->random_)};
  }

  /// The lists say who runs what, so there is nothing to correct.
  void learn(const Attempt &) noexcept {}

  Mark stolen(const Attempt &attempt, Mark mark) noexcept {
    if (!attempt.choice.is_steal_back() && this->owns_nothing() &&
        mark.generation() < std::bit_width(this->environment_.workers() - 1))
      return Mark(this->self_, mark.generation() + 1);
    return mark;
  }

  void path_begins(Mark mark) noexcept {
    if (mark.owner() == kNobody) return;
    Base::path_begins(mark);
    this->shared_.lists.add(mark.owner(), this->self_);
  }

  void path_ends(Mark mark) noexcept {
    if (mark.owner() == kNobody) return;
    this->shared_.lists.remove(mark.owner(), this->self_);
    Base::path_ends(mark);
  }
};

}  // namespace nopal::policy
