// The simulator's event queue against a sorted set.
#include "timing_wheel.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "worker/random.h"

namespace {

using namespace nopal::sim;

TEST(WheelTest, Empty) {
  TimingWheel wheel(3);
  PartyId party = 0;
  EXPECT_FALSE(wheel.pop(party));
  EXPECT_TRUE(wheel.advance(1'000'000));
  EXPECT_EQ(wheel.now(), 1'000'000u);
}

TEST(WheelTest, EarliestFirst) {
  TimingWheel wheel(4);
  wheel.insert(0, 70'000);
  wheel.insert(1, 3);
  wheel.insert(2, 300);
  wheel.insert(3, Time{1} << 40);
  for (const auto &[party, time] :
       {std::pair{1u, Time{3}}, {2u, Time{300}}, {0u, Time{70'000}}, {3u, Time{1} << 40}}) {
    PartyId first = 9;
    ASSERT_TRUE(wheel.pop(first));
    EXPECT_EQ(first, party);
    EXPECT_EQ(wheel.now(), time);
  }
}

TEST(WheelTest, Stress) {
  constexpr std::uint32_t kParties = 500;
  nopal::Random random(1);
  const auto delay = [&random] { return random.below(1u << random.below(28)); };
  TimingWheel wheel(kParties);
  std::set<std::pair<Time, PartyId>> sorted;
  for (PartyId i = 0; i < kParties; ++i) {
    const Time time = delay();
    wheel.insert(i, time);
    sorted.insert({time, i});
  }
  for (int i = 0; i < 300'000; ++i) {
    PartyId party = 0;
    ASSERT_TRUE(wheel.pop(party));
    ASSERT_EQ(wheel.now(), sorted.begin()->first);
    ASSERT_EQ(sorted.erase({wheel.now(), party}), 1u);
    Time next = wheel.now() + delay();
    if (random.chance(0.5) && wheel.advance(next)) {
      // Allowed only if nothing comes before: the party goes on at once.
      ASSERT_LT(next, sorted.begin()->first);
      next += delay();
    }
    wheel.insert(party, next);
    sorted.insert({next, party});
  }
}

}  // namespace
