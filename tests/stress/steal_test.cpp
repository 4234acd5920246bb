// Continuations are stolen, children join, stacks are resumed: right results, nothing left. The
// matrix of workers, chaos and fences is in CMakeLists.txt.
#include "fixture.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace stress {
namespace {

using StealTest = Stress;

TEST_F(StealTest, Smoke) { EXPECT_EQ(fib(10), 55); }

TEST_F(StealTest, NumbersOfATree) {
  for (long n = 0; n < (kIsSanitized ? 16 : 24); ++n)
    ASSERT_EQ(fib(n), serial_fib(n)) << "n = " << n;
}

TEST_F(StealTest, ManyChildrenOfOneFrame) {
  constexpr long kChildren = kIsSanitized ? 2'000 : 20'000;
  std::vector<std::atomic<int>> runs(kChildren);
  spawn_loop(0, kChildren, [&runs](long i) {
    runs[static_cast<std::size_t>(i)].fetch_add(1, std::memory_order_relaxed);
  });
  EXPECT_TRUE(std::ranges::all_of(
      runs, [](const auto &times) { return times.load(std::memory_order_relaxed) == 1; }));
}

TEST_F(StealTest, LoopsInLoops) {
  std::atomic<long> sum{0};
  spawn_loop(0, 40, [&sum](long i) {
    spawn_loop(0, 20, [&sum, i](long j) {
      spawn_loop(0, 4, [&sum, i, j](long k) {
        sum.fetch_add(fib(5) + i * j * k, std::memory_order_relaxed);
      });
    });
  });
  long expected = 0;
  for (long i = 0; i < 40; ++i)
    for (long j = 0; j < 20; ++j)
      for (long k = 0; k < 4; ++k) expected += 5 + i * j * k;
  EXPECT_EQ(sum.load(std::memory_order_relaxed), expected);
}

// After each sync all children of the round, and none of the next, have run: plain variables
// suffice.
TEST_F(StealTest, ManySyncsOfOneActivation) {
  constexpr long kRounds = kIsSanitized ? 200 : 2'000, kWidth = 6;
  std::vector<long> seen(kWidth);
  long wrong = 0;
  spawn_rounds(
      kRounds, kWidth, [&seen](long, long i) { seen[static_cast<std::size_t>(i)] += 1; },
      [&seen, &wrong](long round) { wrong += kWidth - std::ranges::count(seen, round + 1); });
  EXPECT_EQ(wrong, 0);
}

TEST_F(StealTest, ADeepTreeGrowsTheDeque) {
  for (long depth : {1L, 10L, 1'000L, kIsSanitized ? 2'000L : 10'000L})
    EXPECT_EQ(spine(depth), depth);
}

// The number of stacks in use at once is bounded, however many were suspended in total.
TEST_F(StealTest, ManySteals) {
  const long n = kIsSanitized ? 20
                 : nopal::config().chaos.enabled
                     ? 26
                     : 34;  // in chaos 200,000 spawns, each stolen with its probability
  for (long i = repetitions(1); i > 0; --i) ASSERT_EQ(fib(n), serial_fib(n));
  EXPECT_LT(cactus::accounting().peak_in_use, 64u * nopal::workers_made());
}

}  // namespace
}  // namespace stress
