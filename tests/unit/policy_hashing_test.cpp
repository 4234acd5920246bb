// Hashing: draws an owner that has work, uniformly, however many workers work for it; then one of
// these.
#include "policy/hashing.h"

#include <gtest/gtest.h>

#include <vector>

#include "policy_environment.h"

namespace {

using namespace nopal::policy;
using Env = TestEnvironment;

constexpr Mark of(WorkerId owner) { return Mark(owner, Mark::kMostGenerations); }

class HashingTest : public testing::Test {
 protected:
  HashingTest() : environment(Env::flat(16)), shared(environment, 0) {
    for (WorkerId i = 0; i < 16; ++i) workers.emplace_back(shared, environment, i, i);
  }
  std::vector<int> named_by(WorkerId thief, int draws) {
    std::vector<int> named(16);
    for (int i = 0; i < draws; ++i) ++named[workers[thief].next().victim];
    return named;
  }
  Env environment;
  HashingPolicy<Env>::Shared shared;
  std::vector<HashingPolicy<Env>> workers;
};

TEST_F(HashingTest, OwnersAreDrawnEvenlyThoughOneHasAllTheHelpers) {
  for (WorkerId i = 0; i < 12; ++i) workers[i].path_begins(of(i < 11 ? 0 : 11));  // 11 to 1
  const std::vector<int> named = named_by(15, 44'000);
  EXPECT_NEAR(named[11], 22'000, 600);
  for (WorkerId i = 0; i < 11; ++i) EXPECT_NEAR(named[i], 2'000, 250);
  for (WorkerId i = 12; i < 16; ++i) EXPECT_EQ(named[i], 0);
}

TEST_F(HashingTest, WhoEndsIsNoLongerNamedAndAnOwnerWithoutWorkNeither) {
  workers[3].path_begins(of(3));
  workers[4].path_begins(of(4));
  workers[5].path_begins(of(4));
  workers[3].path_ends(of(3));
  workers[4].path_ends(of(4));
  const std::vector<int> named = named_by(15, 1'000);
  EXPECT_GE(named[5], 995);  // one in 4,000 choices gives up drawing owners
  EXPECT_LE(named[3] + named[4], 5);
}

TEST_F(HashingTest, ItsOwnWorkComesFirst) {
  workers[3].path_begins(of(3));
  workers[4].path_begins(of(15));
  const Choice choice = workers[15].next();
  EXPECT_EQ(choice.victim, 4u);
  EXPECT_EQ(choice.only_of, 15u);
}

TEST_F(HashingTest, WithNobodyAtWorkAnybodyIsTried) {
  const std::vector<int> named = named_by(15, 15'000);
  for (WorkerId i = 0; i < 15; ++i) EXPECT_NEAR(named[i], 1'000, 200);
}

}  // namespace
