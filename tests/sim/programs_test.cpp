// The simulated programs: UTS has the published trees, a trace runs as it was recorded, and live
// frames do not grow with the program. What policies share has a price.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "experiments.h"

namespace {

using namespace nopal::sim;

Result run(const std::string &program, std::uint32_t workers) {
  Experiment e;
  e.program = program;
  e.workers = workers;
  return run(e);
}

TEST(UtsTest, PublishedTreesHaveThePublishedNodes) {
  EXPECT_EQ(run("uts", 8).frames, 4'130'071u);                               // T1
  EXPECT_EQ(run("uts:kind=binomial,b=2000,tree=42", 8).frames, 4'112'897u);  // T3
}

TEST(RepeatedTest, EachTimeHasTheWorkAndTheSpan) {
  for (const char *program : {"uts:depth=5", "bursts:phases=3,depth=4,serial=70"}) {
    const Result once = run(program, 4);
    const Result often = run(std::string(program) + ",times=7,before=1000", 4);
    EXPECT_EQ(often.t1, 7 * (1000 + once.t1));
    EXPECT_EQ(often.span, 7 * (1000 + once.span));
    EXPECT_EQ(often.frames, 1 + 7 * once.frames);
  }
}

TEST(MemoryTest, LiveFramesDoNotGrowWithTheProgram) {
  const Result little = run("tree:depth=12", 8), large = run("tree:depth=20", 8);
  EXPECT_EQ(large.frames, (std::uint64_t{2} << 20) - 1);
  // A path a worker: eight frames deeper.
  EXPECT_LE(large.peak_frames, little.peak_frames + std::uint64_t{8} * 8);
}

/// hashing draws owners from words that others write; random reads nothing.
TEST(CostsTest, WordsThatAPolicySharesTakeTime) {
  Experiment e;
  e.program = "owners:owners=16,depth=10,m=4";
  e.workers = 128;
  e.policy.general = 0;
  const auto times = [&](const char *policy) {
    e.policy.name = policy;
    e.costs = "unit";
    const Result free = perform(e).result;
    e.costs = "unit-words";
    return std::pair(free, perform(e).result);
  };
  const auto [random, random_priced] = times("random");
  EXPECT_EQ(random_priced.time, random.time);
  EXPECT_EQ(random_priced.policy_lines, 0u);
  const auto [hashing, hashing_priced] = times("hashing");
  EXPECT_GT(hashing_priced.time, hashing.time * 11 / 10);
  EXPECT_GT(hashing_priced.policy_lines, hashing_priced.attempts());
}

class TraceTest : public testing::Test {
 protected:
  std::string written(const std::string &text) {
    const std::string name = testing::TempDir() +
                             testing::UnitTest::GetInstance()->current_test_info()->name() +
                             ".csv";  // tests run at once
    std::ofstream(name) << text;
    return "trace:file=" + name;
  }
  std::string refusal(const std::string &text) {
    try {
      run(written(text), 2);
    } catch (const BadInput &error) {
      return error.what();
    }
    return "";
  }
};

// main spawns a child of 30 ns, calls a function that spawns one of 20, syncs and goes on for 7.
constexpr const char *kTrace =
    "kind,ns,site\n"
    "spawn,5,main.c:3\nreturn,30,\n"
    "call,2,main.c:4\n"
    "spawn,1,main.c:9\nreturn,20,\nreturn,4,\n"
    "sync,3,\nreturn,7,\n";

TEST_F(TraceTest, HasTheWorkAndSpanThatWereRecorded) {
  const Result result = run(written(kTrace), 2);
  EXPECT_EQ(result.t1, 72u);
  EXPECT_EQ(result.span, 42u);  // the first child; the call's path is 5 + 2 + 1 + 20 + 3 + 7
  EXPECT_EQ(result.spawns, 2u);
  EXPECT_EQ(result.frames, 4u);
}

// recorded_tree.csv is a real run of benchmarks/policies/reality: tree 4 5000.
TEST_F(TraceTest, ARecordedRunSpreadsOverWorkers) {
  const std::string program = std::string("trace:file=") + SIM_TESTS + "/recorded_tree.csv";
  const Result one = run(program, 2), many = run(program, 8);
  EXPECT_EQ(one.spawns, 15u);
  EXPECT_EQ(one.frames, 2u * 15 + 1 + 1);  // a binary tree, and what calls it
  EXPECT_EQ(one.t1, many.t1);
  EXPECT_LT(many.time, one.time);
  EXPECT_GT(many.steals(), 2u);
}

TEST_F(TraceTest, BadLinesAreNamed) {
  EXPECT_NE(refusal("ns,kind\n").find(":1: the first line must be"), std::string::npos);
  EXPECT_NE(refusal("kind,ns,site\nspwan,1,\n").find(":2: 'spwan' is not a kind"),
            std::string::npos);
  EXPECT_NE(refusal("kind,ns,site\nreturn,-1,\n").find("'-1' is not a number"), std::string::npos);
  EXPECT_NE(refusal("kind,ns,site\nspawn,1,\nreturn,1,\n").find("1 instances have not returned"),
            std::string::npos);
  EXPECT_NE(refusal("kind,ns,site\nreturn,1,\nreturn,1,\n").find("has returned already"),
            std::string::npos);
}

}  // namespace
