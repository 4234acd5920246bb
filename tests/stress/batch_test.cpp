// Steals of several continuations at once (CILK_STEAL=half): what came along runs, youngest first,
// while its child's worker is busy; it is taken back by a pop where the thief goes on with the
// victim's stack; and others may steal it meanwhile.
#include "fixture.h"

#include <cilk/cilk_api.h>
#include <cilk/statistics.h>

#include <mutex>
#include <vector>

namespace stress {
namespace {

class BatchTest : public Stress {
 protected:
  void SetUp() override {
    const auto kind = static_cast<nopal::policy::Kind>(nopal::config().steal);
    if (kind != nopal::policy::Kind::half) GTEST_SKIP() << "for CILK_STEAL=half";
    if (nopal::config().chaos.enabled) GTEST_SKIP() << "chaos takes everything";
    if (nopal::worker_count() < 2) GTEST_SKIP() << "for two workers and more";
  }
};

/// Spawns within spawns, `depth` deep, and `leaf` in the innermost; `continuation(i)` runs after
/// the spawn of the i-th, which has i others above it.
void nest(long depth, long most, const std::function<void()> &leaf,
          const std::function<void(long)> &continuation) {
  if (depth == most) return leaf();
  spawn_and_continue([&] { nest(depth + 1, most, leaf, continuation); },
                     [&] { continuation(depth); });
}

constexpr long kDepth = 40;

TEST_F(BatchTest, AllRunWhileTheLeafWaits) {
  for (long i = repetitions(50); i > 0; --i) {
    std::atomic<long> run{0};
    nest(
        0, kDepth,
        [&] {
          while (run.load() < kDepth) std::this_thread::yield();
        },
        [&](long) { run.fetch_add(1); });
    ASSERT_EQ(run, kDepth);
  }
  EXPECT_GT(cilk::read_statistics().total.taken_along, 0u);
}

TEST_F(BatchTest, TheThiefRunsTheYoungestFirst) {
  if (nopal::worker_count() != 2) GTEST_SKIP() << "others may take them: for two workers";
  std::mutex mutex;
  std::vector<long> order;
  nest(
      0, kDepth,
      [&] {
        for (bool is_done = false; !is_done; std::this_thread::yield()) {
          const std::lock_guard lock(mutex);
          is_done = order.size() == kDepth;
        }
      },
      [&](long depth) {
        const std::lock_guard lock(mutex);
        order.push_back(depth);
      });
  // The older half of the 40, youngest first; then the older half of the others.
  const std::vector<long> begins(order.begin(), order.begin() + kDepth / 2);
  for (long i = 0; i < kDepth / 2; ++i)
    EXPECT_EQ(begins[static_cast<std::size_t>(i)], kDepth / 2 - 1 - i);
}

/// The thief of the first half waits until the leaf is done and its worker has come to the frame
/// that the thief runs: so the thief is the last to join, goes on with that stack, and pops the
/// others.
void join_last(long &popped) {
  const cilk::worker_statistics before = cilk::read_statistics().total;
  std::atomic<bool> is_stolen{false}, is_leaf_done{false};
  std::atomic<long> run{0};
  const auto continuation = [&](long) {
    if (run.fetch_add(1) > 0) return;
    is_stolen = true;
    while (!is_leaf_done.load()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  };
  nest(
      0, kDepth,
      [&] {
        while (!is_stolen.load()) std::this_thread::yield();
        is_leaf_done = true;
      },
      continuation);
  EXPECT_EQ(run, kDepth);
  const cilk::worker_statistics after = cilk::read_statistics().total;
  const auto by = [&](std::uint64_t cilk::worker_statistics::*count) {
    return static_cast<long>(after.*count - before.*count);
  };
  using Counts = cilk::worker_statistics;
  const long attempts =
      by(&Counts::steal_attempts) - by(&Counts::failed_empty) - by(&Counts::failed_lost_race);
  const long run_from_own_deque = by(&Counts::steals) - attempts;
  popped += by(&Counts::taken_along) - run_from_own_deque;
}

TEST_F(BatchTest, WhoJoinsLastPopsWhatCameAlongOnAThreadOfTheProgram) {
  long popped = 0;
  for (long i = repetitions(20); i > 0; --i) join_last(popped);
  EXPECT_GT(popped, 0);
}

TEST_F(BatchTest, WhoJoinsLastPopsWhatCameAlongOnASegment) {
  long popped = 0;
  for (long i = repetitions(20); i > 0; --i) {
    std::atomic<bool> has_begun{false};
    spawn_and_continue(
        [&] {
          while (!has_begun.load()) std::this_thread::yield();
        },
        [&] {
          has_begun = true;
          join_last(popped);
        });
  }
  EXPECT_GT(popped, 0);
}

// Batches of batches, with exceptions, and with stacks that are left and resumed everywhere.
TEST_F(BatchTest, ChildrenOfAllSizesInDeepNests) {
  std::atomic<long> sum{0};
  for (long i = repetitions(200); i > 0; --i) {
    long caught = 0;
    try {
      nest(
          0, 12, [&] { sum.fetch_add(fib(12)); },
          [&](long depth) {
            nest(0, depth, [&] { sum.fetch_add(fib(depth)); }, [](long) { fib(5); });
            if (depth == 7 && i % 4 == 0) throw depth;
          });
    } catch (long depth) {
      caught = depth;
    }
    ASSERT_EQ(caught, i % 4 == 0 ? 7 : 0);
  }
}

}  // namespace
}  // namespace stress
