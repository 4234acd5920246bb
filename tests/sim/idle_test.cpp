// Idle workers of the simulated machine (tools/sim/idle.cpp). The laws hold with each rule for many
// workers alone, and with extreme constants. Each mechanism has an effect. A steal's search costs
// little more with 1,024 workers than with 64. The rules for many workers are the runtime's own
// header.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "experiments.h"

namespace {

using namespace nopal::sim;

TEST(IdleTest, EachRuleForManyWorkersAndFarOffConstantsKeepTheLaws) {
  for (const char *many_workers : {"none", "tree", "fences", "late", "all"})
    for (const char *program : {"bursts:phases=3,depth=8,serial=200000", "tree:depth=12,leaf=500",
                                "fib:n=16", "bursts:phases=200,depth=2,serial=500,leaf=100"})
      for (const char *rule : {"search_ns=100000", "search_ns=1", "first_pause_ns=1",
                               "fenced_pops=1", "attempts_a_round=1"}) {
        Experiment e = sleepers(program, 24, many_workers);
        set_rule(e.rules, rule);
        run(e);
      }
}

TEST(IdleTest, AWorkerThatFindsNothingSleepsAndIsCalled) {
  const Result result = run(sleepers("bursts:phases=10,depth=6,serial=2000000,leaf=2000", 16));
  EXPECT_GE(result.calls, 5u);
  EXPECT_GT(result.wake_ups, 10u);
  EXPECT_GT(result.spent[static_cast<std::size_t>(Activity::kAsleep)], result.time);
}

TEST(IdleTest, ALongerSearchBridgesSerialParts) {
  Experiment e = sleepers("bursts:phases=10,depth=6,serial=200000,leaf=2000", 8);
  const Result searching = run(e);
  set_rule(e.rules, "search_ns=100000");
  const Result sleeping = run(e);
  EXPECT_LT(searching.time, sleeping.time);
  EXPECT_LT(searching.wake_ups, sleeping.wake_ups);
}

TEST(IdleTest, LongSerialPartsMakeSearchesShort) {
  Experiment e = sleepers("bursts:phases=10,depth=10,serial=2000000,leaf=2000", 16);
  const Result learned = run(e);
  e.rules.short_search_ns = e.rules.search_ns;
  const Result patient = run(e);
  EXPECT_LT(2 * learned.search_a_steal(), patient.search_a_steal());
  EXPECT_LT(learned.time, patient.time * 103 / 100);
}

TEST(IdleTest, SerialPartsThatASearchBridgesKeepItLong) {
  Experiment e = sleepers("bursts:phases=10,depth=10,serial=500000,leaf=2000", 16);
  const Result learned = run(e);
  e.rules.short_search_ns = e.rules.search_ns;
  EXPECT_EQ(run(e).time, learned.time);
}

TEST(IdleTest, StealsMakeOwnersFence) {
  Experiment e = sleepers("tree:depth=14,leaf=1000", 8);
  const Result adaptive = run(e);
  EXPECT_LT(adaptive.heavy_fences, adaptive.steals());
  e.rules.fenced_pops = 0;
  const Result heavy = run(e);
  EXPECT_GE(heavy.heavy_fences, heavy.steals());
}

TEST(IdleTest, WakingInATreeIsFaster) {
  const char *const program = "bursts:phases=3,depth=14,serial=1500000,leaf=2000";
  constexpr Time kSerial = 3 * 1'500'000;
  EXPECT_LT(2 * (run(sleepers(program, 256)).time - kSerial),
            run(sleepers(program, 256, "none")).time - kSerial);
}

/// The default costs, with others in their place.
std::string costs_with(const std::string &others) {
  const std::string name =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  std::ofstream(name) << '{' << others << '}';
  return name;
}

Time spent(const Result &result, std::uint32_t worker, Activity activity) {
  return result.spent_by[worker][static_cast<std::size_t>(activity)];
}

/// The mutex is held for longer than the tree lasts. So the one sleeper comes too late to steal
/// from the owner, which does its half of the tree alone.
TEST(IdleTest, ASleeperWakesAfterItsWakerHasTheMutex) {
  Experiment e = sleepers("bursts:phases=1,depth=10,serial=60000000,leaf=2000", 3);
  e.costs = costs_with(R"("hold_ns": 10000000, "wake_ns": 1000)");
  const Result result = run(e);
  EXPECT_GE(result.wake_ups, 1u);
  EXPECT_GE(spent(result, 0, Activity::kWork), 60'000'000u + 512 * 2'000);
}

/// Half of the sleepers are second ones, who are called half a millisecond after the first. All
/// searched for 3 ms before they slept, and the tree ends before they would sleep again. The
/// owner's call of the poller takes as long, and then there is something to steal.
TEST(IdleTest, ASecondSleeperWakesAfterTheCallOfTheFirst) {
  constexpr Time kSearch = 3'000'000, kSerial = 5'000'000, kCall = 500'000;
  Experiment e = sleepers("bursts:phases=1,depth=10,serial=5000000,leaf=2000", 16);
  e.costs = costs_with(R"("call_ns": 500000, "wake_ns": 1000)");
  e.rules.search_ns = kSearch;
  const Result result = run(e);
  ASSERT_EQ(result.wake_ups, 14u);
  ASSERT_LT(result.time, kSerial + kSearch);
  std::uint32_t late = 0;
  for (std::uint32_t i = 1; i < 16; ++i)
    late += spent(result, i, Activity::kAsleep) > kSerial - kSearch + kCall * 3 / 2;
  EXPECT_GE(late, 6u);
}

/// The aim: at 1,024 workers at most twice the cost at 64.
TEST(IdleTest, SearchCostsNoMoreWithManyWorkers) {
  const auto cost = [](const std::string &program, std::uint32_t workers) {
    return run(sleepers(program, workers)).search_a_steal();
  };
  EXPECT_LE(cost("tree:depth=18,leaf=1000", 1024), 2 * cost("tree:depth=14,leaf=1000", 64));
  EXPECT_LE(cost("bursts:phases=5,depth=16,serial=200000,leaf=2000", 1024),
            2 * cost("bursts:phases=5,depth=12,serial=200000,leaf=2000", 64));
  const auto plain = sleepers("tree:depth=18,leaf=1000", 1024, "none");
  EXPECT_GT(run(plain).search_a_steal(), 10 * cost("tree:depth=18,leaf=1000", 1024));
}

}  // namespace
