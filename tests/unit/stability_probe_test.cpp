// What the probe calls nothing, transient and stable: look by look, in virtual time, and beside a
// real owner.
#include "idle/stability_probe.h"
#include "deque/deque.h"
#include "worker/random.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using nopal::ContinuationDeque;
using nopal::FenceMode;
using nopal::kLooksPerProbe;
using nopal::probe_stability;
using nopal::Stability;

/// Without end, and without a pause.
struct NoTime {
  void begin() {}
  bool pause() { return true; }
  bool is_over() { return false; }
};
NoTime no_time;

TEST(StabilityProbe, OfEmptyDequesIsNothing) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t) { return ++looks, false; };
  EXPECT_EQ(probe_stability(3, is_stealable, no_time), Stability::kNothing);
  EXPECT_EQ(looks, 3 * kLooksPerProbe);
  EXPECT_EQ(probe_stability(0, is_stealable, no_time), Stability::kNothing);
}

TEST(StabilityProbe, IsStableWhatIsThereAtAllLooks) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) { return ++looks, index == 1; };
  EXPECT_EQ(probe_stability(3, is_stealable, no_time), Stability::kStable);
  EXPECT_EQ(looks, 1 + kLooksPerProbe);
}

/// Of one deque that shows these, and then the last of them for ever.
Stability stability_of_looks(std::vector<bool> looks) {
  std::size_t next = 0;
  return probe_stability(
      1, [&](std::uint32_t) { return looks[std::min(next++, looks.size() - 1)]; }, no_time);
}

TEST(StabilityProbe, IsStableWhatChangesSeldom) {
  EXPECT_EQ(stability_of_looks({true, false}), Stability::kStable);
  EXPECT_EQ(stability_of_looks({true, true, false, true}), Stability::kStable);
  EXPECT_EQ(stability_of_looks({true, false, true, false}), Stability::kStable);
  EXPECT_EQ(stability_of_looks({false, false, true, false, true, false}), Stability::kStable)
      << "three changes after the first look that sees something";
}

TEST(StabilityProbe, IsTransientWhatChangesOften) {
  EXPECT_EQ(stability_of_looks({true, false, true, false, true}), Stability::kTransient);
  EXPECT_EQ(stability_of_looks({true, true, false, false, true, true, false, true}),
            Stability::kTransient);
  EXPECT_EQ(stability_of_looks({false, false, true, false, true, false, true}),
            Stability::kTransient);
}

TEST(StabilityProbe, IsTransientWhatChangesUpToTheLastLook) {
  std::vector<bool> looks(kLooksPerProbe, true);
  looks[1] = looks[kLooksPerProbe - 2] = false;  // and back at the last one
  EXPECT_EQ(stability_of_looks(looks), Stability::kTransient);
  looks.assign(kLooksPerProbe, true);
  looks[1] = looks[kLooksPerProbe - 1] = false;  // nobody looks whether it comes back
  EXPECT_EQ(stability_of_looks(looks), Stability::kStable);
}

TEST(StabilityProbe, OneStableDequeBesideTransientOnesIsSeen) {
  int looks = 0;
  const auto is_stealable = [&looks](std::uint32_t index) {
    return index == 2 || (index == 0 && ++looks % 2 == 1);
  };
  EXPECT_EQ(probe_stability(3, is_stealable, no_time), Stability::kStable);
}

TEST(StabilityProbe, EndsWhenTimeIsOver) {
  struct : NoTime {
    bool pause() { return false; }
  } over_at_once;
  int looks = 0;
  EXPECT_EQ(probe_stability(
                4096, [&looks](std::uint32_t) { return ++looks, false; }, over_at_once),
            Stability::kNothing);
  EXPECT_EQ(looks, 4096) << "each once";
  EXPECT_EQ(
      probe_stability(1, [](std::uint32_t) { return true; }, over_at_once), Stability::kStable);
  struct : NoTime {
    bool is_over() { return true; }
  } over_after_one_deque;
  looks = 0;
  EXPECT_EQ(probe_stability(
                4096, [&looks](std::uint32_t) { return ++looks % 2 == 1; }, over_after_one_deque),
            Stability::kTransient)
      << "as far as it came";
  EXPECT_LE(looks, 10);
}

/// What lies in a deque at which time; a pause takes 40 to 100 ns.
template <class Pattern>
class VirtualTime {
 public:
  VirtualTime(Pattern pattern, nopal::Random &random)
      : pattern_(pattern), random_(random), now_ns_(random.next() % 10'000'000) {}
  void begin() {}
  bool pause() { return now_ns_ += 40 + random_.below(60), true; }
  bool is_over() { return false; }
  Stability see() {
    return probe_stability(1, [this](std::uint32_t) { return pattern_(now_ns_); }, *this);
  }

 private:
  Pattern pattern_;
  nopal::Random &random_;
  std::uint64_t now_ns_;
};

/// Something for `on_ns`, then nothing for `off_ns`, again and again: how often that is not
/// transient.
int times_not_transient(int times, std::uint64_t on_ns, std::uint64_t off_ns) {
  nopal::Random random(1);
  int count = 0;
  for (int i = 0; i < times; ++i)
    count +=
        VirtualTime([=](std::uint64_t now_ns) { return now_ns % (on_ns + off_ns) < on_ns; }, random)
            .see() != Stability::kTransient;
  return count;
}

/// With sixty pauses in a loop of 16 ms: hardly ever; where they take nine tenths of the time, at
/// most three times.
TEST(StabilityProbe, OfTinyChildrenIsTransient) {
  EXPECT_EQ(times_not_transient(10'000, 2, 2), 0);
  EXPECT_LE(times_not_transient(10'000, 8, 2), 10);
  EXPECT_LE(times_not_transient(10'000, 30, 3), 500);
  EXPECT_EQ(times_not_transient(10'000, 100, 100), 0);
  EXPECT_LE(times_not_transient(10'000, 300, 300), 10);
}

/// What is worth a steal is soon seen, even if there is as often nothing.
TEST(StabilityProbe, OfChildrenOfMicrosecondsIsHardlyEverTransient) {
  for (const std::uint64_t ns :
       {3'000, 4'000, 5'000, 7'000, 10'000, 20'000, 30'000, 40'000, 50'000, 100'000})
    EXPECT_GT(times_not_transient(10'000, ns, ns), 9'000) << ns;
  for (const std::uint64_t ns : {3'000, 5'000, 10'000, 40'000})
    EXPECT_GT(times_not_transient(10'000, ns, 20), 9'000) << "one child after the other, of " << ns;
  EXPECT_GT(times_not_transient(10'000, 6'000, 300), 9'000) << "regions of 6 us in a row";
}

/// Tiny children for a while, and then two parts of which the one can be stolen, again and again.
TEST(StabilityProbe, OfCoarseChildrenBetweenTinyOnesIsStableWhenTheyAreThere) {
  nopal::Random random(1);
  for (const std::uint64_t us : {10, 25, 50, 100}) {
    const std::uint64_t part_ns = us * 1'000;
    int stable = 0;
    for (int i = 0; i < 10'000; ++i)
      stable += VirtualTime(
                    [=](std::uint64_t now_ns) {
                      const std::uint64_t at = now_ns % (4 * part_ns);
                      return at < 2 * part_ns ? at % 20 < 10 : at < 3 * part_ns;
                    },
                    random)
                    .see() == Stability::kStable;
    EXPECT_GT(stable, 1'500) << us << ": a fourth of the time less a probe";
  }
}

/// A deque whose owner pushes and pops all the time is transient, by all but those probes that find
/// the owner interrupted. If it never is, this does not end.
TEST(StabilityProbe, OfAnOwnerThatPushesAndPops) {
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
  struct : NoTime {
    nopal::Random random{1};
    bool pause() {
      for (std::uint32_t spins = 1 + random.below(4); spins > 0; --spins)
        nopal::HardwareAtoms::spin_pause();
      return sched_yield() == 0;  // the owner may need this processor
    }
  } timer;
  while (probe_stability(
             1, [&deque](std::uint32_t) { return deque.steal().is_stealable(); }, timer) !=
         Stability::kTransient) {
  }
  is_over = true;
  owner.join();
}

}  // namespace
