// The laws of a run (tools/sim/laws.cpp) hold for each program and policy. Each law finds the error
// that is seeded against it.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "experiment.h"

namespace {

using namespace nopal::sim;

const std::vector<std::string> kPolicies{"random",  "nearest", "localized", "hashing",
                                         "mugging", "half",    "greedy"};
const std::vector<std::string> kPrograms{"tree:depth=13",
                                         "skewed:leaves=20000",
                                         "deep:leaves=500,depth=60",
                                         "fib:n=18",
                                         "loops:outer=40,inner=200",
                                         "bursts:phases=3,depth=8,serial=2000",
                                         "fib:n=12,times=5,before=300",
                                         "spawns:n=2000",
                                         "uts:depth=6",
                                         "uts:kind=binomial,b=200,q=0.12",
                                         "owners:depth=8,m=20",
                                         "tasks:depth=11,m=20",
                                         "owners:owners=3,depth=10"};

Experiment experiment(const std::string &program, const std::string &policy,
                      std::uint32_t workers) {
  Experiment e;
  e.program = program;
  e.policy.name = policy;
  e.workers = workers;
  e.topology = "4x2x4";
  return e;
}

/// The laws that a run breaks, one a line.
std::string broken(const Experiment &e, const Result *alike = nullptr) {
  std::string lines;
  for (const std::string &law : check(e, perform(e).result, alike)) lines += law + '\n';
  return lines;
}

TEST(LawsTest, EachProgramUnderEachPolicyKeepsThem) {
  for (const std::string &program : kPrograms)
    for (const std::uint32_t workers : {3u, 32u, 100u}) {
      const Result first = perform(experiment(program, "random", workers)).result;
      for (const std::string &policy : kPolicies)
        for (const char *costs : {"unit", "default"}) {
          Experiment e = experiment(program, policy, workers);
          e.costs = costs;
          const bool is_unit = e.costs == "unit";  // a spawn's cost is a part of work and span
          EXPECT_EQ(broken(e, is_unit ? &first : nullptr), "") << program << ' ' << policy;
        }
    }
}

TEST(LawsTest, SleepersAndFeedbackKeepThem) {
  for (const std::string &program : kPrograms)
    for (const char *policy : {"random", "hashing", "half"}) {
      Experiment e = experiment(program, policy, 32);
      e.costs = "default";
      e.sleeps = true;
      EXPECT_EQ(broken(e), "") << program << ' ' << policy;
      e.sleeps = false;
      e.feedback.emplace().quantum_ns = 5'000;
      EXPECT_EQ(broken(e), "") << program << ' ' << policy;
    }
}

/// A program that comes within a fortieth of P*S1, so that little is needed to exceed it.
TEST(LawsTest, DeepPathsFillTheSpaceAndDoNotExceedIt) {
  for (const char *policy : {"random", "mugging", "half"}) {
    const Experiment e = experiment("deep:leaves=1024,depth=400,leaf=1000", policy, 64);
    const Result result = perform(e).result;
    EXPECT_TRUE(check(e, result, nullptr).empty()) << policy;
    EXPECT_GT(result.peak_stack * 40, result.s1 * 64 * 39) << policy;
  }
}

TEST(LawsTest, WorkAndSpanDoNotDependOnTheSchedule) {
  const Result few = perform(experiment("uts:depth=6", "random", 2)).result;
  const Result many = perform(experiment("uts:depth=6", "mugging", 64)).result;
  EXPECT_EQ(few.t1, many.t1);
  EXPECT_EQ(few.span, many.span);
  EXPECT_EQ(few.frames, many.frames);
  EXPECT_EQ(few.s1, many.s1);
}

/// An error, and words of the law that finds it.
struct Seeded {
  Fault fault;
  const char *policy, *law;
};

/// So many steals of one frame each that frames that are not freed exceed P*S1.
constexpr const char *kManySteals = "bursts:phases=40,depth=9,serial=10,leaf=50";

class FaultTest : public testing::TestWithParam<Seeded> {};

TEST_P(FaultTest, IsFound) {
  Experiment e = experiment(kManySteals, GetParam().policy, 32);
  e.fault = GetParam().fault;
  std::string found;
  try {
    found = broken(e);
  } catch (const BadInput &error) {
    found = error.what();
  }
  EXPECT_NE(found.find(GetParam().law), found.npos) << found;
}

INSTANTIATE_TEST_SUITE_P(
    Each, FaultTest,
    testing::Values(Seeded{Fault::kLoseChild, "random", "child was lost"},
                    Seeded{Fault::kForgetWork, "random", "and the work is"},
                    Seeded{Fault::kFastClock, "random", "below T1/P"},
                    Seeded{Fault::kKeepFrames, "random", "are left at the end"},
                    Seeded{Fault::kKeepFrames, "random", "more than P*S1"},
                    Seeded{Fault::kSlowGreedy, "greedy", "more than T1/P + Tinf"},
                    Seeded{Fault::kLoseTime, "random", "worker 1 spent"}));

TEST(FaultTest, ATimeBelowTheSpanIsFound) {
  Experiment e = experiment("bursts:phases=3,depth=2,serial=20000", "random", 32);
  e.fault = Fault::kFastClock;
  EXPECT_NE(broken(e).find("below the span"), std::string::npos);
}

TEST(FaultTest, StealBacksBeyondMuggingsOneAreFound) {
  Experiment e = experiment("remark2", "localized", 32);
  e.policy.is_adversary = true;
  Result result = perform(e).result;
  e.policy.name = "mugging";  // claims what localized does not keep
  const std::vector<std::string> laws = check(e, result, nullptr);
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_NE(laws[0].find("though a steal-back takes all"), std::string::npos);
}

/// One name is not taken off a list, so one general steal has two steal-backs. In all there are
/// fewer steal-backs than general steals.
TEST(FaultTest, OneSecondStealBackIsFound) {
  Experiment e = experiment("tree:depth=13", "mugging", 32);
  e.fault = Fault::kForgetBack;
  const Result result = perform(e).result;
  EXPECT_LE(result.back_attempts, result.general_steals);
  EXPECT_EQ(result.repeated_backs, 1u);
  const std::vector<std::string> laws = check(e, result, nullptr);
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_NE(laws[0].find("a second one after one general steal"), std::string::npos);
}

TEST(FaultTest, OtherWorkOrSpanIsFound) {
  const Experiment e = experiment("fib:n=10", "random", 4);
  const Result other = perform(experiment("fib:n=11", "random", 4)).result;
  EXPECT_NE(broken(e, &other).find("with one worker"), std::string::npos);
}

/// Steal-backs and general steals of Remark 2, as its text counts them.
struct Predicted {
  std::uint64_t backs = 0, general = 0;
  Predicted(std::uint32_t workers, std::uint32_t height) {
    for (std::uint32_t i = 1; i <= workers; ++i) {
      const std::uint32_t f = std::bit_width(i) - 1, agents = (1u << f) - 1;
      general += agents;
      backs += std::uint64_t{agents} * (height - f);
    }
  }
};

Result remark_two(const char *policy, std::uint32_t workers, std::uint32_t height) {
  Experiment e = experiment("remark2:height=" + std::to_string(height), policy, workers);
  e.policy.is_adversary = true;
  e.topology = "flat";
  const Result result = perform(e).result;
  EXPECT_TRUE(check(e, result, nullptr).empty());
  return result;
}

TEST(RemarkTwoTest, StealBacksGrowAsPredictedAndMuggingEndsThat) {
  for (const std::uint32_t workers : {4u, 8u, 16u, 32u, 64u})
    for (const std::uint32_t height : {8u, 12u}) {
      const Predicted predicted(workers, height);
      const Result localized = remark_two("localized", workers, height);
      EXPECT_EQ(localized.backs, predicted.backs) << workers << ' ' << height;
      EXPECT_EQ(localized.general_steals, predicted.general) << workers << ' ' << height;
      const Result mugging = remark_two("mugging", workers, height);
      EXPECT_EQ(mugging.backs, mugging.general_steals);
      EXPECT_EQ(mugging.general_steals, predicted.general);
    }
}

TEST(OwnersTest, EachRegionIsDistributedAnew) {
  for (const char *policy : {"localized", "hashing", "mugging"})
    for (const bool sleeps : {false, true}) {
      const auto handed_on = [=](const char *program) {
        Experiment e = experiment(program, policy, 16);
        e.sleeps = sleeps;
        return perform(e).result.handed_on;
      };
      const std::uint64_t once = handed_on("bursts:phases=1,depth=10");
      EXPECT_GT(once, 10u);
      EXPECT_GT(handed_on("bursts:phases=40,depth=10"), 20 * once) << policy << ' ' << sleeps;
    }
}

TEST(RemarkOneTest, StealBacksDoNotShortenTheCriticalPath) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Experiment e = experiment("remark1", "localized", 3);
    e.topology = "flat";
    e.policy.general = 0;
    e.seed = seed;
    const Result result = perform(e).result;
    EXPECT_GE(result.time, 1001u);
    EXPECT_LE(result.time, 1010u);
  }
}

}  // namespace
