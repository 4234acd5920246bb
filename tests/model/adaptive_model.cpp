// Adaptive fences with a clock that answers anything, and with more than one fenced pop: every
// mixture of light and fenced pops, and of stale and young claims.
// And broken variants of the owner's decisions; the first two of them only this finds: where each
// claim is stale and one pop fences (deque_model.cpp, mutants_model.cpp) they do no harm. Scripts:
// deque_scenario.h.
#include "deque_scenario.h"
#include "free_clock.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

template <class Atoms>
void explore(const char *script, std::vector<int> steals) {
  const Outcome outcome =
      DequeScenario<Atoms>(FenceMode::kAdaptive, script, std::move(steals)).explore();
  EXPECT_FALSE(outcome.violated) << script << ": " << outcome.what;
  std::printf("%s: %llu states, %llu runs\n", script,
              static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}

// The number of fenced pops, and how many answers of each thread are free.
using OnePop = FreeClock<1, 3>;
using TwoPops = FreeClock<2, 3>;
using OnePopFewAnswers = FreeClock<1, 2>;
using TwoPopsFewAnswers = FreeClock<2, 2>;
using ThreePops = FreeClock<3, 4>;

TEST(AdaptiveModel, LastElementAgainstAnEagerThief) { explore<OnePop>("PO", {2}); }
TEST(AdaptiveModel, LastElementAgainstTwoThieves) { explore<TwoPops>("PO", {1, 1}); }
TEST(AdaptiveModel, FrameIsUsedAgainAgainstTwoThieves) { explore<OnePopFewAnswers>("POR", {1, 1}); }
TEST(AdaptiveModel, FrameIsUsedAgainWhilePopsFence) { explore<TwoPops>("QPORO", {2}); }
TEST(AdaptiveModel, FrameIsUsedAgainWhilePopsBecomeLight) { explore<TwoPops>("QQPORORO", {1}); }
TEST(AdaptiveModel, IndexIsUsedAgainWhileThreePopsFence) { explore<ThreePops>("QQPOPOPO", {1}); }
TEST(AdaptiveModel, OlderElementsWhilePopsBecomeLight) { explore<TwoPops>("QQPPOO", {2}); }
TEST(AdaptiveModel, OlderElementsWhileThreePopsFence) { explore<ThreePops>("QQPPOPOPOO", {1}); }
TEST(AdaptiveModel, GrowsWhilePopsAreLight) { explore<TwoPops>("PPPOOO", {1}); }
TEST(AdaptiveModel, GrowsWhilePopsFence) { explore<TwoPops>("QQPPPOOO", {1}); }
TEST(AdaptiveModel, BeginsFenced) { explore<TwoPops>("FPORO", {2}); }
TEST(AdaptiveModel, BeginsFencedAgainstTwoThieves) { explore<TwoPopsFewAnswers>("FPO", {1, 1}); }
TEST(AdaptiveModel, DrainsWhilePopsFence) { explore<TwoPops>("QQPDPO", {2}); }

// `ctest -C long -R model.large`.
TEST(LargeAdaptiveModel, FrameIsUsedAgainAgainstTwoThieves) {
  explore<TwoPopsFewAnswers>("PORO", {1, 1});
}
TEST(LargeAdaptiveModel, FrameIsUsedAgainWhilePopsFence) { explore<TwoPops>("QQPORO", {2}); }
TEST(LargeAdaptiveModel, IndexIsUsedAgainWhilePopsBecomeLight) {
  explore<TwoPopsFewAnswers>("QQPOPOPO", {2});
}
TEST(LargeAdaptiveModel, OlderElementsAgainstTwoThieves) {
  explore<TwoPopsFewAnswers>("QPPOO", {1, 1});
}

// No clock, but fences that last: as far as the scripts go, with none of their choices cut off.
struct TwoFencedPops : ModelAtoms {
  static constexpr int64_t kFencedPops = 2;
};
TEST(AdaptiveModel, TwoFencedPopsAgainstTwoThieves) { explore<TwoFencedPops>("QPORO", {1, 1}); }
TEST(AdaptiveModel, TwoFencedPopsAndGrowth) { explore<TwoFencedPops>("QPPPOOO", {1}); }
TEST(AdaptiveModel, TwoFencedPopsAndLightOnes) { explore<TwoFencedPops>("QPOPOPOPO", {2}); }
TEST(LargeAdaptiveModel, TwoFencedPopsAgainstTwoThieves) {
  explore<TwoFencedPops>("QPOROPO", {1, 1});
}
TEST(LargeAdaptiveModel, TwoFencedPopsAndGrowth) { explore<TwoFencedPops>("QPPPOOO", {2}); }

// ---- Mutants: the owner's decisions, changed in the shipped deque for one kind of atoms ----

template <class Atoms>
void expect_taken_twice(const char *script, std::vector<int> steals) {
  const Outcome outcome =
      DequeScenario<Atoms>(FenceMode::kAdaptive, script, std::move(steals)).explore();
  EXPECT_TRUE(outcome.violated) << outcome.states << " states and nothing found";
  EXPECT_NE(outcome.what.find("taken twice"), std::string::npos) << outcome.what;
}

struct LightAfterAYoungClaim : TwoPops {};
struct LightBeforeTheLastPop : TwoPops {};
struct SwitchWithoutAFence : TwoPops {
  static void switch_fence() {}
};

}  // namespace
}  // namespace nopal::model

namespace nopal {

// "A young claim is one whose thief pays nothing for its fence, so pops need not fence for it", and
// no thief is told.
template <>
void Deque<model::DequeScenario<model::LightAfterAYoungClaim>::Frame,
           model::LightAfterAYoungClaim>::Local::notice_return(bool is_tie) noexcept {
  using Atoms = model::LightAfterAYoungClaim;
  if (is_tie) {
    if (Atoms::now_ns() - static_cast<uint64_t>(d_.claimed_at_ns.load_relaxed()) >=
        Atoms::kStaleClaimNs)
      return notice_steal();
    d_.set_bottom(d_.bottom_position(), false);
  }
  if (!d_.has_full_pops() || --d_.fenced_pops_left > 0) return;
  d_.full_pops.store_release(0);
  Atoms::switch_fence();
  d_.set_bottom(d_.bottom_position(), false);
}

// Counts one pop too few for its own fences; with a single fenced pop that is none.
template <>
void Deque<model::DequeScenario<model::LightBeforeTheLastPop>::Frame,
           model::LightBeforeTheLastPop>::Local::notice_return(bool is_tie) noexcept {
  using Atoms = model::LightBeforeTheLastPop;
  if (is_tie && Atoms::now_ns() - static_cast<uint64_t>(d_.claimed_at_ns.load_relaxed()) >=
                    Atoms::kStaleClaimNs)
    return notice_steal();
  if (!d_.has_full_pops()) return;
  if (--d_.fenced_pops_left == 1) d_.set_bottom(d_.bottom_position(), false);
  if (d_.fenced_pops_left > 0) return;
  d_.full_pops.store_release(0);
  Atoms::switch_fence();
  d_.set_bottom(d_.bottom_position(), false);
}

}  // namespace nopal

namespace nopal::model {
namespace {

TEST(AdaptiveMutant, PopsAreLightAfterAYoungClaim) {
  expect_taken_twice<LightAfterAYoungClaim>("QPOPO", {2});
}
TEST(AdaptiveMutant, PopsAreLightBeforeTheLastFencedOne) {
  expect_taken_twice<LightBeforeTheLastPop>("QPOPO", {1});
}
TEST(AdaptiveMutant, PopsBecomeLightWithoutAFenceAfterTwo) {
  expect_taken_twice<SwitchWithoutAFence>("QPPPOOO", {1});
}

}  // namespace
}  // namespace nopal::model
