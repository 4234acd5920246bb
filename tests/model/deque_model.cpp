// All schedules of small programs on the shipped deque, in the three fence modes; with adaptive
// fences each steal is soon after the last one, each claim stale, and one pop fences
// (adaptive_model.cpp has the rest). Scripts: deque_scenario.h.
#include "deque_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

class DequeModel : public testing::TestWithParam<FenceMode> {
 protected:
  template <class Atoms = ModelAtoms>
  void explore(const char *script, std::vector<int> steals, int64_t capacity = 2) {
    const Outcome outcome =
        DequeScenario<Atoms>(GetParam(), script, std::move(steals), /*named=*/true, capacity)
            .explore();
    EXPECT_FALSE(outcome.violated) << script << ": " << outcome.what;
    std::printf("%s: %llu states, %llu runs\n", script,
                static_cast<unsigned long long>(outcome.states),
                static_cast<unsigned long long>(outcome.runs));
  }
};

INSTANTIATE_TEST_SUITE_P(, DequeModel,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });

TEST_P(DequeModel, LastElementAgainstOneThief) { explore("PO", {2}); }
TEST_P(DequeModel, LastElementAgainstTwoThieves) { explore("PO", {1, 1}); }
TEST_P(DequeModel, TwoElementsAgainstOneThief) { explore("PPOO", {3}); }
TEST_P(DequeModel, TwoElementsAgainstTwoThieves) { explore("PPOO", {1, 1}); }
TEST_P(DequeModel, GrowsAgainstTwoThieves) { explore("PPOO", {1, 1}, 1); }
TEST_P(DequeModel, GrowsAgainstAnEagerThief) { explore("PPOO", {3}, 1); }
TEST_P(DequeModel, GrowsUnderOlderElements) { explore("PPPOOO", {2}); }
TEST_P(DequeModel, GrowsTwice) { explore("PPPOOO", {1}, 1); }
TEST_P(DequeModel, IndexIsUsedAgain) { explore("POPO", {1, 1}); }
TEST_P(DequeModel, IndexIsUsedAgainAboveAnOlderElement) { explore("PPOPOO", {2}); }
TEST_P(DequeModel, PositionsAreUsedAgainInTheNextEpoch) { explore("POPPOO", {2}); }
TEST_P(DequeModel, PositionsAreUsedAgainInTheNextEpochAgainstTwoThieves) {
  explore("POPPO", {1, 1});
}
TEST_P(DequeModel, FrameIsUsedAgain) { explore("PORO", {1, 1}); }
TEST_P(DequeModel, FrameIsUsedAgainAgainstAnEagerThief) { explore("POROR", {3}); }
TEST_P(DequeModel, FrameIsUsedAgainAboveAnOlderElement) { explore("PPORO", {1, 1}); }
TEST_P(DequeModel, SlotIsUsedAgainAfterSteals) { explore("PPOPPOO", {2}); }
TEST_P(DequeModel, SlotIsUsedAgainForYoungerElements) { explore("PDPDPPPOOO", {1}, 4); }
TEST_P(DequeModel, PopsOfAStackOfAnotherWorker) { explore("QPOQPO", {2}); }
TEST_P(DequeModel, OlderElementsWhilePopsChangeTheirFence) { explore("QPPOO", {2}); }
TEST_P(DequeModel, OlderElementsWhilePopsChangeTheirFenceAgainstTwoThieves) {
  explore("QPPOO", {1, 1});
}
TEST_P(DequeModel, PopsChangeTheirFenceTwice) { explore("QPOPOQPO", {2}); }
TEST_P(DequeModel, ExpectsAThief) { explore("EPO", {2}); }
TEST_P(DequeModel, ExpectsAThiefAboveAnOlderElement) { explore("PEPOO", {2}); }
TEST_P(DequeModel, ExpectsTwoThieves) { explore("PEPOO", {1, 1}); }
TEST_P(DequeModel, DrainsAgainstThieves) { explore("PPDDQ", {1, 1}); }
TEST_P(DequeModel, DrainsBetweenPushes) { explore("PDPPDO", {2}); }

// A slow push looks at the frames below: none that is stolen, drained or pushed again meanwhile is
// taken for a dead one.
struct LookingBelow : ModelAtoms {
  static constexpr int64_t kLooksBelow = 3;
};
TEST_P(DequeModel, LooksBelow) { explore<LookingBelow>("PPPOOO", {1}); }
TEST_P(DequeModel, LooksBelowWhereAFrameIsUsedAgain) { explore<LookingBelow>("POPRO", {2}); }
TEST_P(DequeModel, LooksBelowAndGrows) { explore<LookingBelow>("PPOO", {2}, 1); }
TEST_P(DequeModel, LooksBelowBetweenDrains) { explore<LookingBelow>("PDPPDO", {1}); }

// `ctest -C long -R model.large`: a million states and more each. That with two eager thieves has
// 26 million with adaptive fences.
class LargeDequeModel : public DequeModel {};
INSTANTIATE_TEST_SUITE_P(, LargeDequeModel,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });
TEST_P(LargeDequeModel, TwoElementsAgainstTwoEagerThieves) { explore("PPOO", {2, 2}); }
TEST_P(LargeDequeModel, TwoElementsAgainstAnEagerThiefAndAnother) { explore("PPOO", {1, 2}); }
TEST_P(LargeDequeModel, GrowsTwice) { explore("PPPOOO", {2}, 1); }
TEST_P(LargeDequeModel, IndexIsUsedAgainAboveAnOlderElement) { explore("PPOPOO", {1, 2}); }
TEST_P(LargeDequeModel, PositionsAreUsedAgainInTheNextEpoch) { explore("POPPOO", {1, 1}); }
TEST_P(LargeDequeModel, SlotIsUsedAgainAfterSteals) { explore("PPOPPOOO", {2}); }
TEST_P(LargeDequeModel, DrainsAgainstThieves) { explore("PPDDQQ", {1, 1}); }

}  // namespace
}  // namespace nopal::model
