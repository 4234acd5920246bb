// CILK_STEAL=localized: who runs out of work first takes back his own from those who work on it
// (Suksompong, Leiserson and Schardl, "On the efficiency of localized work stealing", 2016).
//
// mugging.h is a variant. All costs are on the steal path: a word for a path's beginning and end,
// and two for a name. Checked by tests/unit/policy_localized_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>

#include "helpers.h"
#include "random.h"

namespace nopal::policy {

template <Environment Env>
class LocalizedPolicy {
 public:
  // What keeps every worker named after any history: one attempt in so many is general although
  // somebody is on the list. Four times as many: a quarter more general steals. A fourth: no
  // difference.
  static constexpr double kGeneral = 1.0 / 64;

  static constexpr bool kHasOwners = true;
  static constexpr bool kTimesAttempts = false;
  static constexpr bool kUsesTopology = false;

  struct Shared {
    explicit Shared(const Env &environment, double general = kGeneral)
        : lists(environment.most_workers()),
          on_work(std::make_unique<Count[]>(environment.most_workers())),
          general_part(general) {}

    using Count = typename Env::template Word<std::uint32_t>;
    HelperLists<Env> lists;
    std::unique_ptr<Count[]> on_work;  // how many workers run each owner's work
    double general_part;
  };

  LocalizedPolicy(Shared &shared, const Env &environment, WorkerId self,
                  std::uint64_t seed) noexcept
      : shared_(shared), environment_(environment), self_(self), random_(seed) {}

  Choice next() noexcept {
    if (!random_.chance(shared_.general_part)) {
      const WorkerId helper = shared_.lists.draw(self_, self_, random_);
      if (helper != kNobody) return {.victim = helper, .only_of = self_};
    }
    return {.victim = other_than(self_, environment_.workers(), random_)};
  }

  WorkerId victim_at(std::uint32_t k) const noexcept {
    return (self_ + 1 + k) % environment_.workers();
  }

  /// A failed steal-back: the helper has finished our work. A lost race proves nothing.
  void learn(const Attempt &attempt) noexcept {
    if (attempt.choice.is_steal_back() &&
        (attempt.outcome == Outcome::kEmpty || attempt.outcome == Outcome::kOthersWork))
      shared_.lists.remove(self_, attempt.choice.victim);
  }

  /// Work stays its owner's, and the thief's name goes on the owner's list. But a thief that owns
  /// nothing becomes the owner, while work is distributed: once for each of the lg P generations
  /// that it takes to give all of them some. So a program with one root has P owners, as the
  /// paper's have.
  Mark stolen(const Attempt &attempt, Mark mark) noexcept {
    if (!attempt.choice.is_steal_back() && owns_nothing() &&
        mark.generation() < std::bit_width(environment_.workers() - 1))
      return Mark(self_, mark.generation() + 1);
    if (mark.owner() != self_ && mark.owner() != kNobody) shared_.lists.add(mark.owner(), self_);
    return mark;
  }

  void path_begins(Mark mark) noexcept {
    if (mark.owner() != kNobody) shared_.on_work[mark.owner()].fetch_add_relaxed(1);
  }
  void path_ends(Mark mark) noexcept {
    if (mark.owner() != kNobody) shared_.on_work[mark.owner()].fetch_add_relaxed(~0u);
  }

 protected:
  bool owns_nothing() const noexcept {
    return shared_.on_work[self_].load_relaxed() == 0 && shared_.lists.is_empty(self_);
  }

  Shared &shared_;
  const Env &environment_;
  WorkerId self_;
  typename Env::Random random_;
};

}  // namespace nopal::policy
