// How long a thread that waits for a worker yields before it sleeps. The protocol itself:
// tests/model.
#include "worker/grant.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace nopal {
namespace {

/// A yield takes `yield_ns`; the worker is given while the thread sleeps.
struct CrowdedAtoms : HardwareAtoms {
  static inline std::uint64_t time_ns = 0, yield_ns = 0;
  static inline int yields = 0;
  static inline Grant<CrowdedAtoms> *given = nullptr;

  static std::uint64_t now_ns() noexcept { return time_ns; }
  static void yield() noexcept {
    ++yields;
    time_ns += yield_ns;
  }
  template <class Word>
  static void sleep_while(Word &, std::uint32_t) noexcept {
    given->give(Grant<CrowdedAtoms>::kFirst);
  }
};

class GrantTest : public testing::Test {
 protected:
  /// How often it yields in a wait that nobody ends before it sleeps.
  int yields_in_a_wait(std::uint64_t yield_ns) {
    CrowdedAtoms::yield_ns = yield_ns;
    CrowdedAtoms::yields = 0;
    CrowdedAtoms::given = &grant_;
    EXPECT_EQ(grant_.wait(10, 4), Grant<CrowdedAtoms>::kFirst);
    grant_.reset();
    return CrowdedAtoms::yields;
  }
  void SetUp() override { CrowdedAtoms::time_ns = 1'000'000'000; }

  Grant<CrowdedAtoms> grant_;
};

TEST_F(GrantTest, AWaitYieldsWhileYieldsAreShort) {
  EXPECT_EQ(yields_in_a_wait(1'000), 6);
  EXPECT_EQ(yields_in_a_wait(CrowdedAtoms::kLongYieldNs), 6);
}

TEST_F(GrantTest, AWaitSleepsWhileOthersHaveTheProcessor) {
  EXPECT_EQ(yields_in_a_wait(CrowdedAtoms::kLongYieldNs + 1), 1);
  EXPECT_EQ(yields_in_a_wait(1'000), 0);
  CrowdedAtoms::time_ns += CrowdedAtoms::kCrowdedNs;
  EXPECT_EQ(yields_in_a_wait(1'000), 6);
}

}  // namespace
}  // namespace nopal
