// What a poller takes for nothing, for fleeting and for ripe, by looks alone.
#include "deque/deque.h"
#include "policy/sight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <utility>

namespace {

using nopal::ContinuationDeque;
using nopal::FenceMode;
using nopal::kLooksOfSight;
using nopal::Sight;
using nopal::sight_of;

constexpr auto no_pause = [] {};

TEST(Sight, OfEmptyDequesIsNothing) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t) { return ++looks, false; };
  EXPECT_EQ(sight_of(3, is_stealable, no_pause), Sight::kNothing);
  EXPECT_EQ(looks, 3 * kLooksOfSight);
  EXPECT_EQ(sight_of(0, is_stealable, no_pause), Sight::kNothing);
}

TEST(Sight, IsRipeWhatIsThereAtAllLooks) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) { return ++looks, index == 1; };
  EXPECT_EQ(sight_of(3, is_stealable, no_pause), Sight::kRipe);
  EXPECT_EQ(looks, 2 + kLooksOfSight);
}

TEST(Sight, IsFleetingWhatIsGoneAtTheLastLook) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) { return index == 1 && ++looks < 1 + kLooksOfSight; };
  EXPECT_EQ(sight_of(3, is_stealable, no_pause), Sight::kFleeting);
  EXPECT_EQ(looks, 1 + kLooksOfSight);
}

TEST(Sight, IsFleetingWhatComesAtTheLastLook) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t) { return ++looks == kLooksOfSight; };
  EXPECT_EQ(sight_of(1, is_stealable, no_pause), Sight::kFleeting);
}

TEST(Sight, OneRipeDequeBesideFleetingOnesIsSeen) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) { return index == 2 || (index == 0 && ++looks % 2 == 1); };
  EXPECT_EQ(sight_of(3, is_stealable, no_pause), Sight::kRipe);
}

TEST(Sight, PausesBetweenTwoLooksAtADeque) {
  bool has_paused = true;
  const auto is_stealable = [&has_paused](std::uint32_t) { return std::exchange(has_paused, false); }; // ripe if there is a pause before each look but the first
  EXPECT_EQ(sight_of(1, is_stealable, [&has_paused] { has_paused = true; }), Sight::kRipe);
}

/// A deque whose owner pushes and pops all the time is fleeting, by all but those looks that find the owner interrupted.
TEST(Sight, OfAnOwnerThatPushesAndPops) {
  ContinuationDeque deque(FenceMode::kAdaptive);
  std::atomic<bool> is_over{false};
  std::thread owner([&deque, &is_over] {
    alignas(64) static char frames[64];
    auto *const frame = reinterpret_cast<nopal_frame *>(frames);
    while (!is_over.load(std::memory_order_relaxed)) {
      deque.local().push(frame);
      EXPECT_TRUE(deque.local().pop(frame));
    }
  });
  std::set<Sight> seen;
  while (!seen.contains(Sight::kFleeting))
    seen.insert(sight_of(1, [&deque](std::uint32_t) { return deque.steal().is_stealable(); }, no_pause));
  is_over = true;
  owner.join();
}

} // namespace
