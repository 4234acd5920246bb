// When an owner's pops fence (FenceMode::kAdaptive): steals, claims and windows by a clock that the
// test sets. The deque itself: deque_test.cpp.
#include "../../runtime/src/deque/deque.h"

#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nopal {
namespace {

// A clock that the test sets.
struct ClockedAtoms : HardwareAtoms {
  static inline uint64_t time_ns = 0;
  static uint64_t now_ns() noexcept { return time_ns; }
};

class AdaptiveDequeTest : public testing::Test {
 protected:
  struct Element {
    std::uint64_t content = 0;
  };
  using ClockedDeque = Deque<Element, ClockedAtoms>;

  void SetUp() override {
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
      GTEST_SKIP() << "the system refuses membarrier";
    ClockedAtoms::time_ns = 1'000'000'000;
  }
  // And the pop that finds out.
  void steal() {
    deque.local().push(&element);
    ASSERT_EQ(deque.steal().steal(this).outcome, StealOutcome::kStolen);
    ASSERT_FALSE(deque.local().pop(&element));
  }
  // A claim of a thief that is slow to fence, and `age` later the pop that takes the element back.
  void tie_after(uint64_t age) {
    const int64_t position = deque.bottom_position();
    deque.local().push(&element);
    deque.claimed_at_ns.store_relaxed(static_cast<int64_t>(ClockedAtoms::time_ns));
    deque.slots[position].store_relaxed(ClockedDeque::claim_of(this));
    ClockedAtoms::time_ns += age;
    ASSERT_TRUE(deque.local().pop(&element));
  }
  bool pops_fence() {
    EXPECT_EQ(deque.full_pops.load_relaxed(), deque.has_full_pops());
    return deque.has_full_pops();
  }

  ClockedDeque deque{FenceMode::kAdaptive, 2};
  Element element;
};

TEST_F(AdaptiveDequeTest, PopsFenceForAWhileAfterASteal) {
  EXPECT_FALSE(pops_fence());
  steal();
  EXPECT_TRUE(pops_fence());
  for (int64_t i = 1; i < ClockedAtoms::kFencedPops; ++i) {
    deque.local().push(&element);
    ASSERT_TRUE(deque.local().pop(&element));
  }
  EXPECT_TRUE(pops_fence());
  deque.local().push(&element);
  ASSERT_TRUE(deque.local().pop(&element));
  EXPECT_FALSE(pops_fence()) << "no steal for long";
}

TEST_F(AdaptiveDequeTest, PopsFenceLongerByTheScale) {
  deque.local().fence_longer(3);
  steal();
  EXPECT_TRUE(pops_fence());
  for (int64_t i = 1; i < 3 * ClockedAtoms::kFencedPops; ++i) {
    deque.local().push(&element);
    ASSERT_TRUE(deque.local().pop(&element));
  }
  EXPECT_TRUE(pops_fence());
  deque.local().push(&element);
  ASSERT_TRUE(deque.local().pop(&element));
  EXPECT_FALSE(pops_fence());
}

TEST_F(AdaptiveDequeTest, BeginsWithFencedPopsIfAsked) {
  EXPECT_FALSE(pops_fence());
  deque.local().begin_fenced();
  EXPECT_TRUE(pops_fence());
  for (int64_t i = 0; i < ClockedAtoms::kFencedPops; ++i) {
    deque.local().push(&element);
    ASSERT_TRUE(deque.local().pop(&element));
  }
  EXPECT_FALSE(pops_fence());
}

TEST_F(AdaptiveDequeTest, ATieWithAStaleClaimCountsAsASteal) {
  tie_after(ClockedAtoms::kStaleClaimNs - 1);
  EXPECT_FALSE(pops_fence()) << "too young";
  tie_after(ClockedAtoms::kStaleClaimNs);
  EXPECT_TRUE(pops_fence());
}

TEST_F(AdaptiveDequeTest, GrowingKeepsTheFences) {
  steal();
  ASSERT_TRUE(pops_fence());
  Element more[5];
  for (Element &one : more) deque.local().push(&one);
  EXPECT_TRUE(pops_fence());
  for (int i = 4; i >= 0; --i) EXPECT_TRUE(deque.local().pop(&more[i]));
}

}  // namespace
}  // namespace nopal
