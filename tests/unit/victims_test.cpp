// The runtime's policies: the default one never names its own worker and draws all others about
// equally often; workers beyond the table have one too; what a policy learns of a path.
#include "worker/victims.h"

#include <gtest/gtest.h>

#include <vector>

#include "policy_environment.h"

namespace {

using Random = nopal::policy::RandomPolicy<nopal::policy::TestEnvironment>;
using nopal::policy::TestEnvironment;

TEST(RandomPolicyTest, NeverOneselfAndAllOthersAboutAsOften) {
  constexpr std::uint32_t kWorkers = 7;
  constexpr int kDraws = 60'000;
  const TestEnvironment environment = TestEnvironment::flat(kWorkers);
  Random::Shared shared(environment);
  for (std::uint32_t self = 0; self < kWorkers; ++self) {
    Random policy(shared, environment, self, 1);
    std::vector<int> drawn(kWorkers);
    for (int i = 0; i < kDraws; ++i) ++drawn[policy.next().victim];
    for (std::uint32_t other = 0; other < kWorkers; ++other) {
      if (other == self)
        EXPECT_EQ(drawn[other], 0);
      else
        EXPECT_NEAR(drawn[other], kDraws / (kWorkers - 1), 600);
    }
  }
}

/// The registry has this count in the runtime.
std::atomic<std::uint32_t> count{2};

TEST(VictimsTest, OfTwoItIsTheOther) {
  count = 2;
  nopal::Victims first(0, count), second(1, count);
  const auto next = [](auto &policy) { return policy.next().victim; };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(first.ask(next), 1u);
    EXPECT_EQ(second.ask(next), 0u);
  }
}

TEST(VictimsTest, AWorkerBeyondTheTablesNamesOthersAndIsNamed) {
  count = 8000;
  nopal::Victims beyond(7999, count);
  ASSERT_GT(7999u, beyond.environment().most_workers());
  EXPECT_FALSE(beyond.has_owners());
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(beyond.ask([](auto &policy) { return policy.next().victim; }), 7999u);
}

TEST(RandomTest, NeighbouringSeedsDiffer) {
  nopal::Random a(1), b(2);
  int equal = 0;
  for (int i = 0; i < 64; ++i) equal += a.below(1000) == b.below(1000);
  EXPECT_LT(equal, 5);
}

TEST(RandomTest, ChanceKeepsItsProbability) {
  nopal::Random random(3);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += random.chance(0.05);
  EXPECT_NEAR(hits, 5'000, 400);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(random.chance(1));
    EXPECT_FALSE(random.chance(0));
  }
}

}  // namespace
