// The topology's groups and distances, and the order in which nearest tries victims on a machine of
// 4 packages x 2 nodes x 16 cores.
#include "policy/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "policy_environment.h"

namespace {

using namespace nopal::policy;
using Env = TestEnvironment;

TEST(TopologyTest, Flat) {
  const Topology flat = Topology::flat(5);
  EXPECT_EQ(flat.levels(), 1u);
  EXPECT_EQ(flat.group(0, 3).begin, 0u);
  EXPECT_EQ(flat.group(0, 3).end, 5u);
  EXPECT_EQ(flat.distance(0, 4), 0u);
}

TEST(TopologyTest, GroupsWithinGroups) {
  const Env environment = Env::large();
  const Topology &topology = environment.topology();
  ASSERT_EQ(topology.levels(), 3u);  // node of 16, package of 32, machine of 128
  EXPECT_EQ(topology.group(0, 37).begin, 32u);
  EXPECT_EQ(topology.group(0, 37).end, 48u);
  EXPECT_EQ(topology.group(1, 37).begin, 32u);
  EXPECT_EQ(topology.group(1, 37).end, 64u);
  EXPECT_EQ(topology.group(2, 37).size(), 128u);
  EXPECT_EQ(topology.distance(32, 47), 0u);
  EXPECT_EQ(topology.distance(32, 48), 1u);
  EXPECT_EQ(topology.distance(32, 64), 2u);
}

TEST(TopologyTest, APartOfAMachineAndMoreThanOne) {
  constexpr std::uint32_t kParts[] = {2, 4};
  EXPECT_EQ(Topology::of_parts(kParts, 3).levels(), 1u);
  const Topology six = Topology::of_parts(kParts, 6);
  EXPECT_EQ(six.levels(), 2u);
  EXPECT_EQ(six.group(0, 5).size(), 2u);
  const Topology twenty = Topology::of_parts(kParts, 20);
  EXPECT_EQ(twenty.levels(), 3u);
  EXPECT_EQ(twenty.group(1, 17).size(), 4u);
}

TEST(TopologyTest, ByDistanceNeverComesNearerAgain) {
  const Env environment = Env::large();
  for (const std::uint32_t self : {0u, 37u, 127u}) {
    std::uint32_t before = 0;
    std::vector<bool> seen(128);
    for (std::uint32_t k = 0; k < 127; ++k) {
      const std::uint32_t other = environment.topology().by_distance(self, k);
      const std::uint32_t distance = environment.topology().distance(self, other);
      EXPECT_GE(distance, before);
      EXPECT_FALSE(seen[other]);
      seen[other] = true;
      before = distance;
    }
  }
}

/// How many of `attempts` failed attempts, from a fresh start, are at each distance.
template <class P>
std::array<int, 3> distances(P &policy, const Env &environment, WorkerId self, int attempts) {
  std::array<int, 3> count{};
  for (int i = 0; i < attempts; ++i) {
    const Choice choice = policy.next();
    ++count[environment.topology().distance(self, choice.victim)];
    policy.learn({.choice = choice, .outcome = Outcome::kEmpty});
  }
  return count;
}

TEST(NearestTest, TriesTheNodeThenThePackageThenTheMachine) {
  const Env environment = Env::large();
  NearestPolicy<Env>::Shared shared(environment);
  NearestPolicy<Env> policy(shared, environment, 37, 1);
  std::array<int, 3> node{}, package{}, machine{};
  for (int i = 0; i < 100; ++i) {
    const auto add = [](std::array<int, 3> &sum, const std::array<int, 3> &more) {
      for (std::size_t d = 0; d < 3; ++d) sum[d] += more[d];
    };
    add(node, distances(policy, environment, 37, 16));
    add(package, distances(policy, environment, 37, 32));
    add(machine, distances(policy, environment, 37, 128));
  }
  // Seven of eight within the group, and of uniform ones a few.
  EXPECT_NEAR(node[0] / 1600.0, 7.0 / 8 + 1.0 / 8 * 15 / 127, 0.04);
  EXPECT_NEAR((package[0] + package[1]) / 3200.0, 7.0 / 8 + 1.0 / 8 * 31 / 127, 0.04);
  EXPECT_NEAR(machine[2] / 12800.0, 96.0 / 127, 0.04);
}

TEST(NearestTest, AStealBringsItBackToItsNode) {
  const Env environment = Env::large();
  NearestPolicy<Env>::Shared shared(environment);
  NearestPolicy<Env> policy(shared, environment, 0, 1);
  int near = 0;
  for (int i = 0; i < 1000; ++i) {
    distances(policy, environment, 0, 60);
    const Choice far = policy.next();
    policy.learn({.choice = far, .outcome = Outcome::kStolen});
    near += environment.topology().distance(0, policy.next().victim) == 0;
    policy.learn({.choice = far, .outcome = Outcome::kStolen});
  }
  EXPECT_GT(near, 840);
}

TEST(NearestTest, OneAttemptInEightIsUniform) {
  // The bound on steals needs that no worker is named less often than this.
  const Env environment = Env::large();
  NearestPolicy<Env>::Shared shared(environment);
  NearestPolicy<Env> policy(shared, environment, 0, 1);
  constexpr int kDraws = 2'000'000;
  std::vector<int> named(128);
  for (int i = 0; i < kDraws; ++i) {
    const Choice choice = policy.next();
    ++named[choice.victim];
    policy.learn({.choice = choice, .outcome = Outcome::kStolen});  // always at the first level
  }
  for (WorkerId far = 16; far < 128; ++far)
    EXPECT_GT(named[far], kDraws * NearestPolicy<Env>::kUniform / 127 * 0.9);
}

}  // namespace
