// The topology's groups and distances, and the order in which nearest tries victims on a machine of
// 4 packages x 2 nodes x 16 cores, and on a ring of nodes.
#include "policy/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <utility>
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

/// Of the first `workers`.
void expect_never_nearer_again(const Topology &topology, std::uint32_t workers) {
  for (const std::uint32_t self : {0u, workers / 3, workers - 1}) {
    std::uint32_t before = 0;
    std::vector<bool> seen(workers);
    std::vector<std::uint32_t> within(topology.levels(), 1);
    for (std::uint32_t k = 0; k + 1 < workers; ++k) {
      const std::uint32_t other = topology.by_distance(self, k, workers);
      ASSERT_LT(other, workers);
      const std::uint32_t distance = topology.distance(self, other);
      EXPECT_GE(distance, before);
      EXPECT_FALSE(seen[other]);
      seen[other] = true;
      before = distance;
      for (std::uint32_t level = distance; level < topology.levels(); ++level) ++within[level];
    }
    EXPECT_FALSE(seen[self]);
    for (std::uint32_t level = 0; level < topology.levels(); ++level) {
      EXPECT_EQ(topology.size(level, self, workers), within[level]) << level;
      for (std::uint32_t k = 0; k + 1 < within[level]; ++k) {
        const std::uint32_t other = topology.other(level, self, k, workers);
        EXPECT_TRUE(other != self && topology.distance(self, other) <= level) << other;
      }
    }
  }
}

TEST(TopologyTest, ByDistanceNeverComesNearerAgain) {
  expect_never_nearer_again(Env::large().topology(), 128);
  for (const auto order : {Topology::Order::kCompact, Topology::Order::kSpread})
    for (const std::uint32_t workers : {5u, 9u, 16u, 40u})
      expect_never_nearer_again(Env::ring(40, order).topology(), workers);
}

TEST(TopologyTest, NodesOfARingAreNearByTheirDistance) {
  const Env environment = Env::ring();
  const Topology &ring = environment.topology();
  ASSERT_EQ(ring.levels(), 3u);  // node of 4, the two beside it, machine
  EXPECT_EQ(ring.distance(5, 6), 0u);
  EXPECT_EQ(ring.distance(5, 0), 1u);
  EXPECT_EQ(ring.distance(5, 8), 1u);  // of the other package
  EXPECT_EQ(ring.distance(5, 12), 2u);
  EXPECT_EQ(ring.distance(0, 12), 1u);  // round the ring
  EXPECT_EQ(ring.size(0, 5, 16), 4u);
  EXPECT_EQ(ring.size(1, 5, 16), 12u);
  EXPECT_EQ(ring.size(2, 5, 16), 16u);
  const Env spread = Env::ring(16, Topology::Order::kSpread);
  EXPECT_EQ(spread.topology().unit_of(1), 8u);  // on node 2, which is opposite
  EXPECT_EQ(spread.topology().distance(0, 4), 0u);
  EXPECT_EQ(spread.topology().distance(0, 1), 2u);
  EXPECT_EQ(spread.topology().distance(0, 2), 1u);
}

TEST(TopologyTest, DistancesThatSayNothingAreNotUsed) {
  constexpr std::uint32_t kParts[] = {2, 2, 4};
  const auto levels = [&](std::span<const std::uint64_t> distances) {
    return Topology::of_parts(kParts, 16, Topology::Order::kCompact, distances).levels();
  };
  const std::uint32_t without = levels({});
  EXPECT_EQ(without, 3u);
  EXPECT_EQ(levels(std::vector<std::uint64_t>(16, 10)), without);  // all alike
  EXPECT_EQ(levels(std::vector<std::uint64_t>(9, 10)), without);   // three nodes: another machine's
  EXPECT_EQ(levels(std::vector<std::uint64_t>{10}), without);
  std::vector<std::uint64_t> one_way(16, 20);
  one_way[1] = 15;  // from node 0 to node 1
  const Topology topology = Topology::of_parts(kParts, 16, Topology::Order::kCompact, one_way);
  EXPECT_EQ(topology.distance(0, 4), 1u);
  EXPECT_EQ(topology.distance(4, 0), 2u);
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

TEST(NearestTest, GoesThroughTheNodesOfARingByDistance) {
  const Env environment = Env::ring();
  NearestPolicy<Env>::Shared shared(environment);
  NearestPolicy<Env> policy(shared, environment, 5, 1);
  std::vector<WorkerId> order;
  for (std::uint32_t k = 0; k < 15; ++k) order.push_back(policy.victim_at(k));
  EXPECT_EQ(order, (std::vector<WorkerId>{6, 7, 4, 8, 9, 10, 11, 0, 1, 2, 3, 12, 13, 14, 15}));
  std::array<int, 3> node{}, beside{}, all{};
  for (int i = 0; i < 1000; ++i) {
    for (const auto &[sum, attempts] : {std::pair{&node, 4}, {&beside, 12}, {&all, 16}}) {
      const std::array<int, 3> more = distances(policy, environment, 5, attempts);
      for (std::size_t d = 0; d < 3; ++d) (*sum)[d] += more[d];
    }
  }
  // One of eight is uniform: 4 of 15 are on the opposite node.
  EXPECT_NEAR(node[0] / 4000.0, 7.0 / 8 + 1.0 / 8 * 3 / 15, 0.03);
  EXPECT_NEAR(beside[1] / 12000.0, 7.0 / 8 * 8 / 11 + 1.0 / 8 * 8 / 15, 0.03);
  EXPECT_NEAR(beside[2] / 12000.0, 1.0 / 8 * 4 / 15, 0.03);
  EXPECT_NEAR(all[2] / 16000.0, 4.0 / 15, 0.03);
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
