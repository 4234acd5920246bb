// Victims: never oneself, everybody else sooner or later, all about as often.
#include "worker/victim.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(RandomVictimsTest, NeverOneselfAndAllOthersAboutAsOften) {
  constexpr std::uint32_t kSlots = 7;
  constexpr int kDraws = 60'000;
  for (std::uint32_t self = 0; self < kSlots; ++self) {
    nopal::RandomVictims victims(self, 1);
    std::vector<int> drawn(kSlots);
    for (int i = 0; i < kDraws; ++i) ++drawn[victims.next(kSlots)];
    for (std::uint32_t other = 0; other < kSlots; ++other) {
      if (other == self)
        EXPECT_EQ(drawn[other], 0);
      else
        EXPECT_NEAR(drawn[other], kDraws / (kSlots - 1), 600);
    }
  }
}

TEST(RandomVictimsTest, OfTwoItIsTheOther) {
  nopal::RandomVictims first(0, 1), second(1, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(first.next(2), 1u);
    EXPECT_EQ(second.next(2), 0u);
  }
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
