// What a simulated worker does while its parent's other children run (tools/sim/waits.cpp), and
// what else the processors do (tools/sim/noise.cpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "experiments.h"
#include "noise.h"

namespace {

using namespace nopal::sim;

Result run_with(Experiment e, const char *rule) {
  set_rule(e.rules, rule);
  return run(e);
}

Time asleep(const Result &result, std::uint32_t worker) {
  return result.spent_by[worker][static_cast<std::size_t>(Activity::kAsleep)];
}
Time waited(const Result &result, std::uint32_t worker) {
  return result.spent_by[worker][static_cast<std::size_t>(Activity::kWait)];
}

/// A program that is written as a trace.
class WaitTest : public testing::Test {
 protected:
  std::string program(const std::string &strands) {
    std::ofstream(path_) << "kind,ns,site\n" << strands;
    return "trace:file=" + path_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  // Tests run at once, and each has a file.
  std::string path_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

// A child of 100 us, in which a thief takes the continuation, which then takes longer.
std::string child_and_rest(Time rest) {
  return "spawn,1,\nreturn,100000,\nreturn," + std::to_string(rest) + ",\n";
}

TEST_F(WaitTest, AnAttachedThreadWaitsAwakeForAShortTime) {
  const Result result = run(sleepers(program(child_and_rest(200'000)), 2));
  ASSERT_EQ(result.steals(), 1u);
  EXPECT_EQ(result.stacks_left, 0u);
  EXPECT_GT(waited(result, 0), 50'000u);
  EXPECT_EQ(asleep(result, 0), 0u);
}

TEST_F(WaitTest, ThenItHandsItsWorkerOver) {
  const Result result = run(sleepers(program(child_and_rest(2'000'000)), 2));
  ASSERT_EQ(result.steals(), 1u);
  EXPECT_EQ(result.stacks_left, 1u);
  EXPECT_GE(waited(result, 0), 200'000u);
  EXPECT_LT(waited(result, 0), 210'000u);
  // Two threads are woken: one for the worker, and at the end this one.
  EXPECT_GE(asleep(result, 1), read_costs("default").wake);
  EXPECT_GE(result.time, 2'000'000u + read_costs("default").wake);
}

TEST_F(WaitTest, AWorkerWithoutSuchAThreadLeavesItsStackSooner) {
  // The thief's continuation spawns in turn, and its child's parent is stolen: on a segment. The
  // attached thread has a long child.
  const std::string inner = "call,1,\n" + child_and_rest(400'000);
  const Result result =
      run(sleepers(program("spawn,1,\nreturn,900000,\n" + inner + "return,1,\n"), 3));
  ASSERT_EQ(result.steals(), 2u);
  EXPECT_EQ(result.stacks_left, 1u);
  Time most = 0;
  for (const std::uint32_t worker : {1u, 2u}) most = std::max(most, waited(result, worker));
  EXPECT_GE(most, 20'000u);
  EXPECT_LT(most, 22'000u);
}

TEST(ManyWaitsTest, AnAttachedThreadHelpsOnlyBelowItsFrameAndNotAtOnce) {
  const Experiment e = sleepers("bursts:phases=20,depth=8,serial=2000000,leaf=2000", 2);
  const Result usual = run(e);
  EXPECT_GT(usual.helps, 0u);
  EXPECT_LE(usual.helps, usual.steals());
  EXPECT_GT(run_with(e, "before_help_ns=1").helps, usual.helps);
  EXPECT_EQ(run_with(e, "before_help_ns=10000000").helps, 0u);
}

TEST(ManyWaitsTest, FarOffRulesKeepTheLaws) {
  for (const char *program : {"tree:depth=12,leaf=300", "fib:n=16,leaf=200", "uts:depth=6,work=500",
                              "loops:outer=30,inner=64,grain=4,body=100",
                              "bursts:phases=9,depth=7,serial=90000,leaf=2000"})
    for (const char *policy : {"random", "localized", "mugging", "half"})
      for (const std::uint32_t workers : {2u, 5u, 24u})
        for (const char *rule : {"short_ns=1", "short_ns=1000000", "long_ns=1", "long_ns=9000000",
                                 "before_help_ns=1", "most_nested=1", "looks_before_yield=1"}) {
          Experiment e = sleepers(program, workers);
          e.policy.name = policy;
          run_with(e, rule);
        }
}

TEST_F(WaitTest, AFrameThatGoesOnOnTheWrongStackIsFound) {
  Experiment e = sleepers(program("call,1,\n" + child_and_rest(2'000'000) + "return,1,\n"), 2);
  e.fault = Fault::kStayOnStack;
  const auto laws = check(e, perform(e).result, nullptr);
  ASSERT_FALSE(laws.empty());
  EXPECT_NE(laws[0].find("another stack"), std::string::npos);
}

TEST(NoiseTest, AStrandTakesLongerByWhatItMeets) {
  const std::vector<std::uint64_t> losses{0, 50, 0, 0};
  const Noise noise(losses, 100, 1, 1, 1);
  // The recording is 450 ns long, so a strand of all its work always meets the 50 ns.
  for (Time now = 0; now < 900; now += 7)
    EXPECT_NEAR(static_cast<double>(noise.lost(0, now, 400)), 50, 1) << now;
  Time most = 0, least = 1000;
  for (Time now = 0; now < 450; ++now) {
    most = std::max(most, noise.lost(0, now, 100));
    least = std::min(least, noise.lost(0, now, 100));
  }
  EXPECT_EQ(least, 0u);
  EXPECT_NEAR(static_cast<double>(most), 50, 1);
}

TEST(NoiseTest, ProcessorsLoseTimeAtTheSameMoments) {
  const std::vector<std::uint64_t> losses{0, 50, 0, 0, 0, 50, 0, 0};  // of two
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    const Noise noise(losses, 100, 2, 2, seed);
    for (Time now = 0; now < 900; now += 7)
      EXPECT_EQ(noise.lost(0, now, 100), noise.lost(1, now, 100)) << seed << " " << now;
  }
}

TEST(NoiseTest, AWorkerHasAProcessorAndASeedChoosesWhich) {
  const std::vector<std::uint64_t> losses{0, 0, 0, 0, 10, 10, 10, 10};  // the second is slower
  std::uint32_t slow_first = 0;
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    const Noise noise(losses, 100, 2, 3, seed);
    const Time first = noise.lost(0, 0, 1000), second = noise.lost(1, 0, 1000);
    EXPECT_EQ(first + second, 100u) << seed;
    EXPECT_EQ(noise.lost(2, 0, 1000), first) << seed;  // there are no more processors
    slow_first += first == 100;
  }
  EXPECT_GT(slow_first, 0u);
  EXPECT_LT(slow_first, 8u);
}

TEST(NoiseTest, KeepsTheLawsAndDependsOnTheSeedAlone) {
  const std::string path = testing::TempDir() + "noise_test.json";
  std::ofstream(path) << R"({"noise_slice_ns": 1000, "noise_ns": [0, 3, 0, 900, 0, 0, 20, 7]})";
  Experiment e = sleepers("tree:depth=10,leaf=500", 4);
  const Result quiet = run(e);
  e.costs = path;
  const Result first = run(e), again = run(e);
  e.seed = 2;
  const Result other = run(e);
  std::filesystem::remove(path);
  EXPECT_EQ(quiet.lost, 0u);
  EXPECT_GT(first.lost, first.t1 / 20);
  EXPECT_LT(first.lost, first.t1 / 5);
  EXPECT_EQ(first.t1, quiet.t1);
  EXPECT_EQ(first.time, again.time);
  EXPECT_NE(first.time, other.time);
}

}  // namespace
