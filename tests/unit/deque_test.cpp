// The deque on real threads, in all fence modes: one TEST a behaviour, named as in every concurrent
// structure's tests here. All schedules of small cases: tests/model. Seeds are printed, and taken
// from NOPAL_TEST_SEED.
#include "../../runtime/src/deque/deque.h"

#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

namespace nopal {
namespace {

// A thief must find it as it was before the push. It is plain, so the thread sanitizer sees whether
// the accesses are ordered.
struct Element {
  uint64_t content = 0;
  std::atomic<int> taken{0};
};

// Counts the arrays that are alive.
struct CountingAtoms : HardwareAtoms {
  static inline std::atomic<int> alive{0};
  static constexpr int64_t kLooksBelow = 0;  // many tests push one element again and again
  static void *allocate(size_t bytes) noexcept {
    alive.fetch_add(1);
    return HardwareAtoms::allocate(bytes);
  }
  static void release(void *memory) noexcept {
    alive.fetch_sub(1);
    HardwareAtoms::release(memory);
  }
};

using TestDeque = Deque<Element, CountingAtoms>;

// Each push and pop finds `guess` in the register in which it expects bottom, as if a child had
// left it there.
struct GuessingAtoms : HardwareAtoms {
  static inline int64_t guess = 0;
  static constexpr int64_t kLooksBelow = 0;
  static int64_t load_predicted(const Int64 &word) noexcept {
#if defined(__x86_64__)
    __asm__ volatile("movq %0, %%r10" ::"m"(guess) : "r10");
#endif
    return HardwareAtoms::load_predicted(word);
  }
};

bool can_use(FenceMode mode) {
  return mode == FenceMode::kFull ||
         syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

uint64_t content_of(size_t index) { return index * 0x9e3779b97f4a7c15u + 1; }

class DequeTest : public testing::TestWithParam<FenceMode> {
 protected:
  void SetUp() override {
    if (!can_use(GetParam())) GTEST_SKIP() << "the system refuses membarrier";
  }
  // No array leaks.
  void TearDown() override { EXPECT_EQ(CountingAtoms::alive.load(), 0); }

  // An owner that pushes and pops at random, against thieves. Each element must be taken once,
  // whole.
  void race(int thieves, size_t count, int64_t capacity, unsigned seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    TestDeque deque(GetParam(), capacity);
    std::vector<Element> elements(count);
    std::atomic<bool> done{false};
    std::atomic<int> started{0};
    std::atomic<size_t> wrong{0};
    const auto take = [&elements, &wrong](Element *element) {
      const auto index = static_cast<size_t>(element - elements.data());
      if (element->content != content_of(index) || element->taken.fetch_add(1) != 0)
        wrong.fetch_add(1);
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < thieves; ++i) {
      threads.emplace_back([&] {
        auto steal = deque.steal();
        started.fetch_add(1);
        while (!done.load(std::memory_order_acquire) || steal.is_stealable()) {
          const auto result = steal.steal(&steal);
          if (result.outcome == StealOutcome::kStolen) {
            take(result.frame);
          } else {
            std::this_thread::yield();
          }
        }
      });
    }
    while (started.load() < thieves) std::this_thread::yield();
    std::minstd_rand random(seed);
    auto local = deque.local();
    std::vector<Element *> nested;
    for (size_t next = 0; next < count;) {
      for (auto burst = random() % 12; burst != 0 && next < count; --burst, ++next) {
        elements[next].content = content_of(next);
        local.push(&elements[next]);
        nested.push_back(&elements[next]);
      }
      for (auto burst = random() % 14; burst != 0 && !nested.empty(); --burst) {
        Element *element = nested.back();
        nested.pop_back();
        if (local.pop(element)) {
          take(element);
        } else {  // as a worker does: all that is older was stolen
          if (!local.is_empty()) wrong.fetch_add(1);
          nested.clear();
        }
      }
    }
    while (Element *element = local.drain_oldest()) take(element);
    done.store(true, std::memory_order_release);
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong.load(), 0u);
    for (const Element &element : elements) ASSERT_EQ(element.taken.load(), 1);
  }
};

INSTANTIATE_TEST_SUITE_P(, DequeTest,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive),
                         [](const auto &mode) {
                           return mode.param == FenceMode::kAsymmetric ? "Asymmetric"
                                  : mode.param == FenceMode::kFull     ? "Full"
                                                                       : "Adaptive";
                         });

TEST_P(DequeTest, Smoke) {
  TestDeque deque(GetParam());
  Element a, b, c;
  deque.local().push(&a);
  deque.local().push(&b);
  deque.local().push(&c);
  EXPECT_TRUE(deque.local().pop(&c));
  const auto stolen = deque.steal().steal(this);
  EXPECT_EQ(stolen.outcome, StealOutcome::kStolen);
  EXPECT_EQ(stolen.frame, &a);
  EXPECT_TRUE(deque.local().pop(&b));
  EXPECT_FALSE(deque.local().pop(&a));
}

TEST_P(DequeTest, AnythingMayBeInTheRegister) {
  using GuessingDeque = Deque<Element, GuessingAtoms>;
  GuessingDeque deque(GetParam()), other(GetParam());
  const auto bottom = [&deque] { return deque.bottom.load_relaxed(); };
  std::vector<Element> elements(3);
  const int64_t begin = bottom(), half = int64_t{1} << 32;
  for (const int64_t guess :
       {int64_t{0}, int64_t{-1}, INT64_MIN, begin - 8, begin, begin + 1, begin + 8, begin + 16,
        begin - half, begin + 8 + half, other.bottom.load_relaxed()}) {
    GuessingAtoms::guess = guess;
    for (Element &element : elements) deque.local().push(&element);
    EXPECT_EQ(deque.bottom_position(), 3) << guess;
    for (int i = 2; i >= 0; --i) EXPECT_TRUE(deque.local().pop(&elements[i])) << guess;
    EXPECT_EQ(deque.bottom_position(), 0) << guess;
    deque.local().push(&elements[0]);
    EXPECT_EQ(deque.steal().steal(this).frame, &elements[0]) << guess;
    EXPECT_FALSE(deque.local().pop(&elements[0])) << guess;
  }
}

TEST_P(DequeTest, AThiefMayRefuse) {
  TestDeque deque(GetParam());
  Element a;
  deque.local().push(&a);
  const Element *seen = nullptr;
  const auto refused = deque.steal().steal(this, [&](const Element *frame) {
    seen = frame;
    return false;
  });
  EXPECT_EQ(seen, &a);
  EXPECT_EQ(refused.outcome, StealOutcome::kLostRace);
  EXPECT_TRUE(deque.steal().is_stealable()) << "it is there as before";
  EXPECT_EQ(deque.steal().steal(this).frame, &a);
  EXPECT_EQ(deque.steal()
                .steal(this,
                       [](const Element *) {
                         ADD_FAILURE();
                         return true;
                       })
                .outcome,
            StealOutcome::kEmpty);
}

TEST_P(DequeTest, Empty) {
  TestDeque deque(GetParam());
  EXPECT_TRUE(deque.local().is_empty());
  EXPECT_FALSE(deque.steal().is_stealable());
  EXPECT_EQ(deque.steal().steal(this).outcome, StealOutcome::kEmpty);
  EXPECT_EQ(deque.local().drain_oldest(), nullptr);
  // A pop without its push, for each frame of a stack from another worker.
  Element a;
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(deque.local().pop(&a));
  deque.local().push(&a);
  EXPECT_TRUE(deque.steal().is_stealable());
  EXPECT_TRUE(deque.local().pop(&a));
  EXPECT_EQ(deque.steal().steal(this).outcome, StealOutcome::kEmpty);
}

TEST_P(DequeTest, OwnerOnly) {
  TestDeque deque(GetParam(), 4);
  Element element;
  auto local = deque.local();
  // The peak is exact, whichever pushes the limit let pass as fast.
  for (const int64_t depth : {1, 3, 2, 7, 7, 4, 20}) {
    const int64_t before = deque.steal().peak_depth();
    for (int64_t i = 0; i < depth; ++i) local.push(&element);
    EXPECT_EQ(deque.steal().peak_depth(), std::max(before, depth));
    for (int64_t i = 0; i < depth; ++i) EXPECT_TRUE(local.pop(&element));
    EXPECT_FALSE(local.pop(&element));
  }
  // It counts what is there, not what was stolen.
  for (int i = 0; i < 100; ++i) {
    local.push(&element);
    EXPECT_EQ(local.drain_oldest(), &element);
  }
  EXPECT_EQ(deque.steal().peak_depth(), 20);
  local.make_every_push_slow();
  for (int i = 0; i < 21; ++i) local.push(&element);
  EXPECT_EQ(deque.limit.load_relaxed(), TestDeque::kAlwaysSlow);
  EXPECT_EQ(deque.steal().peak_depth(), 21);
}

TEST_P(DequeTest, StartsOverWhereItIsFoundEmpty) {
  TestDeque deque(GetParam(), 4);
  auto local = deque.local();
  Element a, b, c;
  for (int i = 0; i < 100; ++i) {
    for (Element *element : {&a, &b, &c}) local.push(element);
    EXPECT_EQ(deque.steal().steal(this).frame, &a);
    EXPECT_EQ(deque.steal().steal(this).frame, &b);
    EXPECT_TRUE(local.pop(&c));
    EXPECT_FALSE(local.pop(&b));
    EXPECT_FALSE(local.pop(&a)) << "a pop without its push";
  }
  EXPECT_EQ(CountingAtoms::alive.load(), 1) << "it never had to grow";
}

// The limit is for positions above the stolen elements. After the deque starts over, the same
// depths are deeper.
TEST_P(DequeTest, PeakIsExactAfterAStart) {
  TestDeque deque(GetParam());
  auto local = deque.local();
  Element element;
  for (int i = 0; i < 3; ++i) local.push(&element);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(local.drain_oldest(), &element);
  local.push(&element);
  EXPECT_EQ(local.drain_oldest(), &element);
  EXPECT_FALSE(local.pop(&element));
  for (int64_t depth = 1; depth <= 8; ++depth) {
    local.push(&element);
    EXPECT_EQ(deque.steal().peak_depth(), std::max<int64_t>(depth, 3));
  }
}

// A start lowers the limit, but does not raise one that another thread has lowered.
TEST_P(DequeTest, NextPushIsSlowAfterAStart) {
  TestDeque deque(GetParam());
  auto local = deque.local();
  Element element;
  for (int i = 0; i < 2; ++i) local.push(&element);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(local.drain_oldest(), &element);
  deque.make_next_push_slow();
  EXPECT_FALSE(local.pop(&element));
  EXPECT_EQ(deque.limit.load_relaxed(), TestDeque::kAlwaysSlow);
}

TEST_P(DequeTest, NextPushIsSlow) {
  TestDeque deque(GetParam());
  auto local = deque.local();
  Element element;
  int slow = 0;
  const auto push = [&] {
    local.push_fast(&element, [&](Element *pushed) {
      if (local.push_out_of_line(pushed)) return;
      ++slow;
      local.push_slow(pushed);
    });
  };
  for (int i = 0; i < 3; ++i) push();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(local.pop(&element));
  slow = 0;
  push();
  EXPECT_EQ(slow, 0) << "no deeper than before";
  deque.make_next_push_slow();
  push();
  push();
  EXPECT_EQ(slow, 1);
  EXPECT_EQ(deque.steal().peak_depth(), 3);
}

// Another thread makes pushes slow meanwhile: the peak stays exact.
TEST_P(DequeTest, PushesAreMadeSlowMeanwhile) {
  TestDeque deque(GetParam(), 4);
  Element element;
  auto local = deque.local();
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      for (int i = 0; i < 10; ++i) deque.make_next_push_slow();
      std::this_thread::yield();
    }
  });
  std::minstd_rand random(1);
  int64_t peak = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto depth = static_cast<int64_t>(random() % static_cast<unsigned>(2 + round / 200));
    peak = std::max(peak, depth);
    for (int64_t i = 0; i < depth; ++i) local.push(&element);
    ASSERT_EQ(deque.steal().peak_depth(), peak);
    for (int64_t i = 0; i < depth; ++i) ASSERT_TRUE(local.pop(&element));
  }
  done = true;
  other.join();
}

TEST_P(DequeTest, PopsFenceForAWhileWhenAThiefIsExpected) {
  TestDeque deque(GetParam());
  auto local = deque.local();
  Element element;
  const bool adapts = GetParam() == FenceMode::kAdaptive;
  local.expect_thief();
  for (int64_t i = 0; i < CountingAtoms::kExpectantPops; ++i) {
    EXPECT_EQ(deque.full_pops.load_relaxed(), adapts ? 1 : 0);
    local.push(&element);
    EXPECT_TRUE(local.pop(&element));
  }
  EXPECT_EQ(deque.full_pops.load_relaxed(), 0);
  local.expect_thief();
  local.push(&element);
  EXPECT_EQ(deque.steal().steal(this).frame, &element);
  EXPECT_FALSE(local.pop(&element));
}

TEST_P(DequeTest, Outsider) {
  static constinit TestDeque outsider{TestDeque::Outsider{}};
  Element element;
  int slow = 0;
  outsider.local().push_fast(&element, [&](Element *pushed) { slow += pushed == &element; });
  EXPECT_EQ(slow, 1);
  EXPECT_FALSE(outsider.steal().is_stealable());
}

TEST_P(DequeTest, Spsc) {
  TestDeque deque(GetParam(),
                  32768);  // does not grow: a thief that meets a growing deque must try again
  constexpr size_t kCount = 20000;
  std::vector<Element> elements(kCount);
  std::thread thief([&] {
    for (size_t expected = 0; expected < kCount;) {
      const auto result = deque.steal().steal(&thief);
      if (result.outcome != StealOutcome::kStolen) {
        ASSERT_NE(result.outcome, StealOutcome::kLostRace);  // nobody is there to lose against
        std::this_thread::yield();
        continue;
      }
      ASSERT_EQ(result.frame, &elements[expected]);  // oldest first
      ASSERT_EQ(result.frame->content, content_of(expected));
      ++expected;
    }
  });
  for (size_t i = 0; i < kCount; ++i) {
    elements[i].content = content_of(i);
    deque.local().push(&elements[i]);
  }
  thief.join();
  EXPECT_FALSE(deque.local().pop(&elements.back()));
}

TEST_P(DequeTest, Stampede) {
  // Many thieves on a full deque; the owner pops at the same time.
  constexpr size_t kCount = 20000;
  constexpr int kThieves = 6;
  TestDeque deque(GetParam(), 64);
  std::vector<Element> elements(kCount);
  for (Element &element : elements) deque.local().push(&element);
  std::atomic<size_t> taken{0};
  std::vector<std::thread> thieves;
  for (int i = 0; i < kThieves; ++i) {
    thieves.emplace_back([&] {
      const int thief = 0;
      while (taken.load(std::memory_order_relaxed) < kCount) {
        const auto result = deque.steal().steal(&thief);
        if (result.outcome != StealOutcome::kStolen) continue;
        result.frame->taken.fetch_add(1);
        taken.fetch_add(1);
      }
    });
  }
  while (taken.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  for (size_t i = kCount; deque.local().pop(&elements[i - 1]); taken.fetch_add(1))
    elements[--i].taken.fetch_add(1);
  for (std::thread &thief : thieves) thief.join();
  EXPECT_EQ(taken.load(), kCount);
  for (const Element &element : elements) ASSERT_EQ(element.taken.load(), 1);
}

TEST_P(DequeTest, Stress) {
  const char *wanted = std::getenv("NOPAL_TEST_SEED");
  const unsigned seed = wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                                          : std::random_device()();
  std::printf("NOPAL_TEST_SEED=%u\n", seed);
  race(1, 300000, 2, seed);
  race(3, 300000, 64, seed + 1);
}

TEST_P(DequeTest, Grow) {
  // The arrays change under the thieves again and again: each deque begins with two slots.
  for (unsigned i = 0; i < 200; ++i) race(2, 60, 2, i);
}

// A thief that does not return from its fence, as in a forked process. The owner has no heavy
// fence.
struct StuckThiefAtoms : HardwareAtoms {
  static inline std::atomic<bool> is_inside{false}, may_leave{false};
  static void heavy_fence() noexcept {
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
  }
};

TEST(DequeWithoutThieves, GrowsAndPopsUnderAClaim) {
  Deque<Element, StuckThiefAtoms> deque(FenceMode::kAsymmetric, 2);
  std::vector<Element> elements(9);
  deque.local().push(&elements[0]);
  StuckThiefAtoms::is_inside = StuckThiefAtoms::may_leave = false;
  std::thread thief([&deque] { deque.steal().steal(&deque); });
  while (!StuckThiefAtoms::is_inside) std::this_thread::yield();
  deque.local().lose_thieves();
  for (size_t i = 1; i < elements.size(); ++i)
    deque.local().push(&elements[i]);  // hangs if it waits for the claim
  for (size_t i = elements.size(); i-- > 0;) EXPECT_TRUE(deque.local().pop(&elements[i])) << i;
  EXPECT_TRUE(deque.local().is_empty());
  StuckThiefAtoms::may_leave = true;
  thief.join();
}

// The state that a signal handler leaves that spawns between two steps of its owner's push or pop,
// written by hand.
class DequeDeathTest : public DequeTest {
 protected:
  void SetUp() override {
    DequeTest::SetUp();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
  static void lay(TestDeque &deque, int64_t position, const Element &element) {
    deque.slots[position].store_relaxed(TestDeque::word_of(&element));
  }
  static constexpr const char *kLost = "a spawn has lost its continuation",
                              *kDead = "of a function that has ended";
  Element a_, b_, handlers_;
};
INSTANTIATE_TEST_SUITE_P(, DequeDeathTest,
                         testing::Values(FenceMode::kAsymmetric, FenceMode::kFull,
                                         FenceMode::kAdaptive));

TEST_P(DequeDeathTest, AnotherFrameIsInTheSlot) {
  TestDeque deque(GetParam(), 4);
  deque.local().push(&a_);
  deque.local().push(&b_);
  lay(deque, 1, handlers_);
  EXPECT_DEATH(deque.local().pop(&b_), kLost);
  lay(deque, 1, b_);
  EXPECT_TRUE(deque.local().pop(&b_));
  EXPECT_TRUE(deque.local().pop(&a_));
}

TEST_P(DequeDeathTest, BottomIsTooHigh) {
  TestDeque deque(GetParam(), 4);
  deque.local().push(&a_);
  EXPECT_DEATH(deque.local().pop(&b_), kLost);
  EXPECT_TRUE(deque.local().pop(&a_));
}

TEST_P(DequeDeathTest, BottomIsTooLow) {
  TestDeque deque(GetParam(), 4);
  deque.local().push(&a_);
  deque.local().push(&b_);
  EXPECT_EQ(deque.local().drain_oldest(), &a_);
  EXPECT_EQ(deque.local().drain_oldest(), &b_);
  deque.bottom.store_release(deque.bottom.load_relaxed() - 2 * TestDeque::kSlotBytes);
  EXPECT_DEATH(deque.local().pop(&a_), kLost);
  EXPECT_DEATH(deque.local().push_slow(&handlers_), kDead);
}

TEST_P(DequeDeathTest, AFrameIsPushedAgain) {
  Deque<Element, HardwareAtoms> deque(GetParam(), 4);
  deque.local().push(&a_);
  EXPECT_DEATH(deque.local().push_slow(&a_), kDead);
  deque.local().push(&b_);
  EXPECT_DEATH(deque.local().push_slow(&b_), kDead);
  EXPECT_TRUE(deque.local().pop(&b_));
  EXPECT_TRUE(deque.local().pop(&a_));
}

TEST_P(DequeTest, Destroy) {
  {
    TestDeque deque(GetParam(), 2);
    Element element;
    for (int i = 0; i < 1000; ++i) deque.local().push(&element);
    EXPECT_EQ(CountingAtoms::alive.load(),
              10);  // 2, 4, ..., 1024 slots: the older ones are kept for thieves
  }
  EXPECT_EQ(CountingAtoms::alive.load(), 0);
}

}  // namespace
}  // namespace nopal
