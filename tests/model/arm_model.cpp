// All schedules of small programs on the shipped deque, join, runs, sleep word, alarm, grant and
// versioned words under the memory of ARMv8, with the orders that the code has there. Cases are
// smaller than those of x86-TSO, which has a third of the states. Scripts: the scenarios' headers.
#include "alarm_scenario.h"
#include "deque_scenario.h"
#include "free_clock.h"
#include "grant_scenario.h"
#include "join_scenario.h"
#include "runs_scenario.h"
#include "sleep_scenario.h"
#include "versioned_scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace nopal::model {
namespace {

template <class Case>
void check(Case &&scenario) {
  const ArmMemory arm;
  const Outcome outcome = scenario.explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
  std::printf("%llu states, %llu runs\n", static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}
// Cases of minutes: NOPAL_MODEL_LARGE=1.
bool is_large() { return std::getenv("NOPAL_MODEL_LARGE") != nullptr; }

class ArmDeque : public testing::TestWithParam<FenceMode> {
 protected:
  void explore(const char *script, std::vector<int> steals, int64_t capacity = 2,
               std::vector<int64_t> wanted = {}) {
    DequeScenario<ModelAtoms> scenario(GetParam(), script, std::move(steals), /*named=*/true,
                                       capacity);
    if (!wanted.empty()) scenario.take_several(std::move(wanted));
    check(scenario);
  }
};
INSTANTIATE_TEST_SUITE_P(, ArmDeque,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });

TEST_P(ArmDeque, LastElementAgainstOneThief) { explore("PO", {2}); }
TEST_P(ArmDeque, LastElementAgainstTwoThieves) { explore("PO", {1, 1}); }
TEST_P(ArmDeque, TwoElementsAgainstOneThief) { explore("PPOO", {2}); }
TEST_P(ArmDeque, Grows) { explore("PPOO", {1}, 1); }
TEST_P(ArmDeque, IndexIsUsedAgain) { explore("POPO", {1}); }
TEST_P(ArmDeque, FrameIsUsedAgain) { explore("PORO", {1}); }
TEST_P(ArmDeque, PositionsAreUsedAgainInTheNextEpoch) { explore("POPPO", {1}); }
TEST_P(ArmDeque, StaleTopAgainstTheNextEpoch) { explore("PPOOPP", {1}); }
TEST_P(ArmDeque, ThievesOfTheLastEpoch) { explore("POPP", {2}); }
TEST_P(ArmDeque, Drains) { explore("PPDO", {1}); }
TEST_P(ArmDeque, ExpectsAThief) { explore("POEPO", {1}); }
TEST_P(ArmDeque, PopsChangeTheirFence) { explore("QPPOO", {1}); }
TEST_P(ArmDeque, TakesTwo) { explore("PPOO", {1}, 4, {2}); }
TEST_P(ArmDeque, PopOfTheNewest) { explore("PPNN", {1}, 4, {2}); }

class LargeArmDeque : public ArmDeque {
  void SetUp() override {
    if (!is_large()) GTEST_SKIP() << "NOPAL_MODEL_LARGE is not set";
  }
};
INSTANTIATE_TEST_SUITE_P(, LargeArmDeque,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) { return name_of(mode.param); });
TEST_P(LargeArmDeque, TwoElementsAgainstTwoThieves) { explore("PPOO", {1, 1}); }
TEST_P(LargeArmDeque, IndexIsUsedAgainAgainstTwoThieves) { explore("POPO", {1, 1}); }
TEST_P(LargeArmDeque, FrameIsUsedAgainAgainstTwoThieves) { explore("PORO", {1, 1}); }
TEST_P(LargeArmDeque, NextEpochAgainstAnEagerThief) { explore("PPOOPP", {2}); }
TEST_P(LargeArmDeque, PositionsAreUsedAgain) { explore("POPPOO", {1}); }
TEST_P(LargeArmDeque, IndexIsUsedAgainAboveAnOlderElement) { explore("PPOPOO", {1}); }
TEST_P(LargeArmDeque, GrowsTwice) { explore("PPPOOO", {1}, 1); }
TEST_P(LargeArmDeque, DrainsBetweenPushes) { explore("PDPPDO", {1}); }
TEST_P(LargeArmDeque, TakesTwoAgainstAPlainThief) { explore("PO", {1, 1}, 4, {2, 0}); }

TEST(ArmAdaptive, FreeClock) {
  check(DequeScenario<FreeClock<1, 2>>(FenceMode::kAdaptive, "QPO", {1}));
}

TEST(ArmJoin, OneChildAndTheSync) { check(JoinScenario<ModelAtoms>(1, "..")); }
TEST(ArmJoin, TwoChildrenAndTheSync) { check(JoinScenario<ModelAtoms>(2, "...")); }
TEST(ArmJoin, ChildThrows) { check(JoinScenario<ModelAtoms>(1, "T.")); }
TEST(ArmJoin, ContinuationThrows) { check(JoinScenario<ModelAtoms>(1, ".T")); }
TEST(ArmRuns, OneSteal) { check(RunsScenario<ModelAtoms>("VV")); }

TEST(ArmGrant, LooksAndSleeps) { check(GrantScenario<ModelAtoms>(1)); }
TEST(ArmGrant, Sleeps) { check(GrantScenario<ModelAtoms>(0)); }

TEST(ArmVersioned, ReadWhileSet) { check(VersionedScenario<ModelAtoms>(1, 2)); }
TEST(ArmVersioned, SetTwice) { check(VersionedScenario<ModelAtoms>(2, 1)); }

void sleep(std::vector<std::string> scripts, int parked, int attached, bool are_many = false) {
  check(SleepScenario<ModelAtoms>(std::move(scripts), parked, attached, are_many));
}
TEST(ArmSleep, OneAttachesAsOneGoesIdle) { sleep({"AR", "H"}, 0, 0); }
TEST(ArmSleep, TwoRestAndOneAttaches) { sleep({"AR", "AR", "H"}, 1, 0); }
TEST(ArmSleep, ThePollerFindsWorkAsOneGoesIdle) { sleep({"E", "AR"}, 0, 1); }
TEST(ArmSleep, AllWhoWatchFindWork) { sleep({"E", "AB", "AB"}, 2, 1); }
TEST(ArmSleep, OneComesBackAsThePollerLeaves) { sleep({"EAR", "ABAR"}, 1, 1); }
TEST(ArmSleep, ThePollerParksAsOneAttaches) { sleep({"G", "IH"}, 1, 1); }
TEST(ArmSleep, ThePollerParksAsOneGoesIdle) { sleep({"G", "I", "AR"}, 0, 1); }
TEST(ArmSleep, OneSearchesUncounted) { sleep({"E", "U", "UV"}, 1, 1, true); }
TEST(ArmSleep, TwoWakeTwo) { sleep({"AW", "AW"}, 3, 1, true); }

TEST(ArmAlarm, APush) { check(AlarmScenario<ModelAtoms>({"P"}, 1)); }
TEST(ArmAlarm, APushAndAPop) { check(AlarmScenario<ModelAtoms>({"PO"}, 2)); }
TEST(ArmAlarm, TwoPushes) { check(AlarmScenario<ModelAtoms>({"POP"}, 1)); }
TEST(ArmAlarm, AStart) { check(AlarmScenario<ModelAtoms>({"PDPOQ"}, 1)); }

}  // namespace
}  // namespace nopal::model
