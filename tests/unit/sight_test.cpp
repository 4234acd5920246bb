// What a worker takes for nothing, for fleeting and for ripe, by looks alone: look by look, in a virtual time, and beside a real owner.
#include "deque/deque.h"
#include "policy/random.h"
#include "policy/sight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using nopal::ContinuationDeque;
using nopal::FenceMode;
using nopal::kLooksOfSight;
using nopal::Sight;
using nopal::sight_of;

constexpr auto no_pause = [] { return true; };

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
  EXPECT_EQ(looks, 1 + kLooksOfSight);
}

/// Of one deque that shows these, and then the last of them for ever.
Sight sight_of_looks(std::vector<bool> looks) {
  std::size_t next = 0;
  return sight_of(1, [&](std::uint32_t) { return looks[std::min(next++, looks.size() - 1)]; }, no_pause);
}

TEST(Sight, IsRipeWhatChangesSeldom) {
  EXPECT_EQ(sight_of_looks({true, false}), Sight::kRipe);
  EXPECT_EQ(sight_of_looks({true, true, false, true}), Sight::kRipe);
  EXPECT_EQ(sight_of_looks({true, false, true, false}), Sight::kRipe);
  EXPECT_EQ(sight_of_looks({false, false, true, false, true, false}), Sight::kRipe) << "three changes behind the first look that sees something";
}

TEST(Sight, IsFleetingWhatChangesOften) {
  EXPECT_EQ(sight_of_looks({true, false, true, false, true}), Sight::kFleeting);
  EXPECT_EQ(sight_of_looks({true, true, false, false, true, true, false, true}), Sight::kFleeting);
  EXPECT_EQ(sight_of_looks({false, false, true, false, true, false, true}), Sight::kFleeting);
}

TEST(Sight, IsFleetingWhatChangesUpToTheLastLook) {
  std::vector<bool> looks(kLooksOfSight, true);
  looks[1] = looks[kLooksOfSight - 2] = false; // and back at the last one
  EXPECT_EQ(sight_of_looks(looks), Sight::kFleeting);
  looks.assign(kLooksOfSight, true);
  looks[1] = looks[kLooksOfSight - 1] = false; // nobody looks whether it comes back
  EXPECT_EQ(sight_of_looks(looks), Sight::kRipe);
}

TEST(Sight, OneRipeDequeBesideFleetingOnesIsSeen) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) { return index == 2 || (index == 0 && ++looks % 2 == 1); };
  EXPECT_EQ(sight_of(3, is_stealable, no_pause), Sight::kRipe);
}

TEST(Sight, EndsWhenTimeIsOver) {
  int looks = 0;
  const auto time_is_over = [] { return false; };
  EXPECT_EQ(sight_of(4096, [&looks](std::uint32_t) { return ++looks, false; }, time_is_over), Sight::kNothing);
  EXPECT_EQ(looks, 4096) << "each once";
  EXPECT_EQ(sight_of(1, [](std::uint32_t) { return true; }, time_is_over), Sight::kRipe);
  looks = 0;
  const auto until_third_deque = [&looks] { return looks < 30; };
  EXPECT_EQ(sight_of(4096, [&looks](std::uint32_t) { return ++looks % 2 == 1; }, until_third_deque), Sight::kFleeting) << "as far as it came";
  EXPECT_LE(looks, 32);
}

/// Of one deque, in which something is for `on_ns` and then nothing for `off_ns`, again and again; from a time that `random` draws.
Sight seen_twice(std::uint64_t on_ns, std::uint64_t off_ns, nopal::Random &random) {
  std::uint64_t now_ns = random.next() % (on_ns + off_ns);
  const auto is_stealable = [&](std::uint32_t) { return now_ns % (on_ns + off_ns) < on_ns; };
  const auto pause = [&] { return now_ns += 40 + random.below(60), true; };
  return nopal::see_twice([&] { return sight_of(1, is_stealable, pause); }, [&] { now_ns += 45'000; });
}

int times_not_fleeting(int times, std::uint64_t on_ns, std::uint64_t off_ns) {
  nopal::Random random(1);
  int count = 0;
  for (int i = 0; i < times; ++i) count += seen_twice(on_ns, off_ns, random) != Sight::kFleeting;
  return count;
}

/// With sixty pauses in a loop of 16 ms: never, and with one of three loops at the most once.
TEST(Sight, OfTinyChildrenIsFleeting) {
  EXPECT_EQ(times_not_fleeting(10'000, 2, 2), 0);
  EXPECT_EQ(times_not_fleeting(10'000, 8, 2), 0);
  EXPECT_LE(times_not_fleeting(10'000, 30, 3), 50);
  EXPECT_EQ(times_not_fleeting(10'000, 100, 100), 0);
  EXPECT_EQ(times_not_fleeting(10'000, 300, 300), 0);
}

/// What is worth a theft is soon seen, even if there is as often nothing.
TEST(Sight, OfChildrenOfMicrosecondsIsHardlyEverFleeting) {
  for (const std::uint64_t ns : {3'000, 4'000, 5'000, 7'000, 10'000, 20'000, 30'000, 40'000, 50'000, 100'000})
    EXPECT_GT(times_not_fleeting(10'000, ns, ns), 9'000) << ns;
  for (const std::uint64_t ns : {3'000, 5'000, 10'000, 40'000}) EXPECT_GT(times_not_fleeting(10'000, ns, 20), 9'000) << "one child after the other, of " << ns;
  EXPECT_GT(times_not_fleeting(10'000, 6'000, 300), 9'000) << "regions of 6 us in a row";
  EXPECT_GT(times_not_fleeting(10'000, 60'000, 940'000), 9'000);
}

TEST(Sight, OfAnInterruptedOwnerIsFleeting) {
  for (const bool is_there : {false, true}) {
    int sights = 0;
    const auto is_stealable = [&](std::uint32_t) { return sights == 1 ? is_there : ++sights % 2 == 0; }; // all the time, then at every other look
    const auto see = [&] { return ++sights, sight_of(1, is_stealable, no_pause); };
    EXPECT_EQ(nopal::see_twice(see, [] {}), Sight::kFleeting) << is_there;
  }
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
  nopal::Random random(1);
  const auto pause = [&random] {
    for (std::uint32_t spins = 1 + random.below(4); spins > 0; --spins) nopal::HardwareAtoms::spin_pause();
    return true;
  };
  while (sight_of(1, [&deque](std::uint32_t) { return deque.steal().is_stealable(); }, pause) != Sight::kFleeting) {}
  is_over = true;
  owner.join();
}

} // namespace
