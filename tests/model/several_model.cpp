// Thieves that take several elements at once, and the pop of the newest, whichever it is: all
// schedules of small programs on the shipped deque in the three fence modes. And broken variants of
// such a steal. Scripts: deque_scenario.h.
#include "deque_scenario.h"
#include "free_clock.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

class SeveralModel : public testing::TestWithParam<FenceMode> {
 protected:
  // `wanted`: how many elements each thief wants, 0 for one by the plain steal.
  template <class Atoms = ModelAtoms>
  void explore(const char *script, std::vector<int> steals, std::vector<int64_t> wanted,
               int64_t capacity = 4) {
    DequeScenario<Atoms> scenario(GetParam(), script, std::move(steals), /*named=*/true, capacity);
    scenario.take_several(std::move(wanted));
    const Outcome outcome = scenario.explore();
    EXPECT_FALSE(outcome.violated) << script << ": " << outcome.what;
    std::printf("%s: %llu states, %llu runs\n", script,
                static_cast<unsigned long long>(outcome.states),
                static_cast<unsigned long long>(outcome.runs));
  }
};

INSTANTIATE_TEST_SUITE_P(, SeveralModel,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });

TEST_P(SeveralModel, TwoOfTwo) { explore("PPOO", {2}, {2}); }
TEST_P(SeveralModel, TwoOfThree) { explore("PPPOOO", {1}, {2}); }
TEST_P(SeveralModel, ThreeOfThree) { explore("PPPOOO", {1}, {3}); }
TEST_P(SeveralModel, MoreThanThereAre) { explore("PO", {2}, {3}); }
TEST_P(SeveralModel, AgainstAPlainThief) { explore("PPOO", {1, 1}, {2, 0}); }
TEST_P(SeveralModel, AgainstAnotherOfItsKind) { explore("PPOO", {1, 1}, {2, 2}); }
TEST_P(SeveralModel, StaleSlotsAreClaimed) { explore("PPPOOPO", {1}, {3}); }
TEST_P(SeveralModel, SlotsAreUsedAgain) { explore("PPOPOO", {2}, {2}); }
TEST_P(SeveralModel, FrameIsUsedAgain) { explore("PPOROR", {1}, {2}); }
TEST_P(SeveralModel, NextEpoch) { explore("PPOOPPOO", {1}, {2}); }
TEST_P(SeveralModel, Grows) { explore("PPPOOO", {1}, {2}, 2); }
TEST_P(SeveralModel, GrowsAgainstAPlainThief) { explore("PPOO", {1, 1}, {2, 0}, 1); }
TEST_P(SeveralModel, WhilePopsChangeTheirFence) { explore("QPPOOQPO", {1}, {2}); }
TEST_P(SeveralModel, Drains) { explore("PPDDPO", {1}, {2}); }

TEST_P(SeveralModel, PopOfTheNewest) { explore("PPNN", {2}, {0}); }
TEST_P(SeveralModel, PopOfTheNewestAgainstTwoThieves) { explore("PPNN", {1, 1}, {0, 0}); }
TEST_P(SeveralModel, PopOfTheNewestAfterPushesAbove) { explore("PPPONN", {1}, {2}); }
TEST_P(SeveralModel, PopOfTheNewestAndTheNextEpoch) { explore("PPNNPO", {2}, {2}); }
TEST_P(SeveralModel, PopOfTheNewestWhilePopsFence) { explore("QPPNN", {1}, {2}); }

// `ctest -C long -R model.large`. Adaptive fences: 7 million states.
class LargeSeveralModel : public SeveralModel {};
INSTANTIATE_TEST_SUITE_P(, LargeSeveralModel,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });
TEST_P(LargeSeveralModel, NextEpoch) { explore("PPOOPPOO", {2}, {2}); }

// With a clock that answers anything, and more than one fenced pop.
TEST(SeveralAdaptiveModel, FreeClock) {
  DequeScenario<FreeClock<2, 3>> scenario(FenceMode::kAdaptive, "QQPPOO", {1}, true, 4);
  scenario.take_several({2});
  const Outcome outcome = scenario.explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
}

// ---- Mutants: the shipped steal of several, with one thing broken ----

struct Sound : ModelAtoms {};    // nothing: the copy below is the shipped one
struct TopLate : ModelAtoms {};  // moves top when all are taken
struct BottomOnlyForTheOldest : ModelAtoms {};
struct TopNotLookedAt : ModelAtoms {};
struct StaleClaimsStay : ModelAtoms {};  // withdraws nothing
struct NoFence : ModelAtoms {};

template <class Atoms, class Mutant>
constexpr bool kIs = std::is_same_v<Atoms, Mutant>;

template <class Atoms, class D, class Frame>
StealSeveralResult steal_brokenly(D &d, const void *thief, Frame **taken, int64_t wants) {
  const int64_t oldest = d.top.load_acquire();
  auto *const array = d.array.load_acquire();
  const int64_t position = D::position_of(oldest);
  int64_t there = array->position_of(d.bottom.load_acquire()) - position;
  if (there <= 0) return {StealOutcome::kEmpty, 0};
  auto *const slots = array->slots() + position;
  const int64_t claim = D::claim_of(thief);
  int64_t claimed = 0;
  while (claimed < wants) {
    int64_t found = slots[claimed].load_acquire();
    if (found == D::kTaken && claimed == 0) {
      int64_t top = oldest;
      d.top.compare_exchange_seq_cst(top, top + 1);
    }
    if (!D::is_frame(found)) break;
    taken[claimed] = D::frame_of(found);
    if (!slots[claimed].compare_exchange_seq_cst(found, claim)) break;
    ++claimed;
  }
  if (claimed == 0) return {StealOutcome::kLostRace, 0};
  if (!kIs<Atoms, NoFence>) Atoms::heavy_fence();
  there = array->position_of(d.bottom.load_acquire()) - position;
  int64_t count = 0;
  if (there > 0 && (kIs<Atoms, TopNotLookedAt> || d.top.load_acquire() == oldest))
    count = kIs<Atoms, BottomOnlyForTheOldest> || there > claimed ? claimed : there;
  int64_t confirmed = 0;
  while (confirmed < count) {
    int64_t found = claim;
    if (!slots[confirmed].compare_exchange_seq_cst(found, D::kTaken)) break;
    if (!kIs<Atoms, TopLate>) {
      int64_t top = oldest + confirmed;
      d.top.compare_exchange_seq_cst(top, top + 1);
    }
    ++confirmed;
  }
  for (int64_t i = 0; kIs<Atoms, TopLate> && i < confirmed; ++i) {
    int64_t top = oldest + i;
    d.top.compare_exchange_seq_cst(top, top + 1);
  }
  for (int64_t i = claimed; !kIs<Atoms, StaleClaimsStay> && i > confirmed; --i) {
    int64_t found = claim;
    slots[i - 1].compare_exchange_seq_cst(found, D::word_of(taken[i - 1]));
  }
  if (confirmed == 0) return {StealOutcome::kLostRace, 0};
  return {StealOutcome::kStolen, confirmed};
}

}  // namespace
}  // namespace nopal::model

namespace nopal {

#define NOPAL_BREAK(Mutant)                                                               \
  template <>                                                                             \
  template <class Wanted, class Inspect>                                                  \
  StealSeveralResult                                                                      \
  Deque<model::DequeScenario<model::Mutant>::Frame, model::Mutant>::Steal::steal_several( \
      const void *thief, model::DequeScenario<model::Mutant>::Frame **taken, int64_t,     \
      Wanted wanted, Inspect) noexcept {                                                  \
    return model::steal_brokenly<model::Mutant>(d_, thief, taken, wanted(1));             \
  }
NOPAL_BREAK(Sound)
NOPAL_BREAK(TopLate)
NOPAL_BREAK(BottomOnlyForTheOldest)
NOPAL_BREAK(TopNotLookedAt)
NOPAL_BREAK(StaleClaimsStay)
NOPAL_BREAK(NoFence)
#undef NOPAL_BREAK

}  // namespace nopal

namespace nopal::model {
namespace {

template <class Atoms>
Outcome explore_broken(const char *script, std::vector<int> steals, std::vector<int64_t> wanted) {
  DequeScenario<Atoms> scenario(FenceMode::kAsymmetric, script, std::move(steals), true, 4);
  scenario.take_several(std::move(wanted));
  return scenario.explore();
}

template <class Atoms>
void expect_violation(const char *script, std::vector<int> steals, std::vector<int64_t> wanted,
                      const char *kind) {
  const Outcome outcome = explore_broken<Atoms>(script, steals, wanted);
  EXPECT_TRUE(outcome.violated) << outcome.states << " states and nothing found";
  EXPECT_NE(outcome.what.find(kind), std::string::npos) << outcome.what;
}

TEST(SeveralMutant, TheCopyIsSound) {
  EXPECT_FALSE(explore_broken<Sound>("PPPOOO", {1}, {3}).violated);
  EXPECT_FALSE(explore_broken<Sound>("PDOPPOO", {2}, {2}).violated);
}
TEST(SeveralMutant, TopIsMovedWhenAllAreTaken) { expect_violation<TopLate>("PPOO", {1}, {2}, ""); }
TEST(SeveralMutant, BottomIsComparedWithTheOldestAlone) {
  expect_violation<BottomOnlyForTheOldest>("PPPOOO", {1}, {3}, "taken twice");
}
TEST(SeveralMutant, TopIsNotLookedAt) { expect_violation<TopNotLookedAt>("PDOPPOO", {1}, {2}, ""); }
TEST(SeveralMutant, ClaimsOfAnotherEpochStay) {
  expect_violation<StaleClaimsStay>("PDOPPDD", {1}, {2}, "");
}
TEST(SeveralMutant, NoFence) { expect_violation<NoFence>("PPOO", {1}, {2}, "taken twice"); }

}  // namespace
}  // namespace nopal::model
