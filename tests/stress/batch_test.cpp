// Steals of several continuations at once (CILK_STEAL=half). Continuations that came along run,
// youngest first, while the child's worker is busy. A pop takes them back if the thief continues on
// the victim's stack. Others may steal them meanwhile.
#include "fixture.h"

#include <cilk/cilk_api.h>
#include <cilk/statistics.h>

#include <chrono>
#include <mutex>
#include <thread>
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

/// The order in which a thief runs continuations while the leaf waits for all of them.
std::vector<long> order_of_continuations() {
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
  return order;
}

TEST_F(BatchTest, TheThiefRunsTheYoungestFirst) {
  if (nopal::worker_count() != 2) GTEST_SKIP() << "others may take them: for two workers";
  for (int tries = 0; tries < 1000; ++tries) {
    const std::vector<long> order = order_of_continuations();
    const long first = order.front();
    if (first == 0) {  // it was searching, and took the first as soon as it was there
      if (tries % 8 == 7) std::this_thread::sleep_for(std::chrono::milliseconds(5));  // it sleeps
      continue;
    }
    for (long i = 0; i <= first; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], first - i);
    return;
  }
  FAIL() << "no thief has taken more than one";
}

/// The thief of the first half waits until the victim has left the stack, has stolen in turn, and
/// is kept busy. So the thief is the last to join, goes on with that stack, and pops what is left.
void join_last(long &popped) {
  const cilk::worker_statistics before = cilk::read_statistics().total;
  std::atomic<long> first{kDepth}, run{0};  // the continuation that the thief runs
  std::atomic<bool> is_resumed{false};
  const auto continuation = [&](long depth) {
    const long number = run.fetch_add(1);
    if (number == 0) {
      first = depth;
      // Those above it, itself, and one that came along; none came with the oldest alone.
      while (depth > 0 && run.load() < kDepth - depth + 1) std::this_thread::yield();
    } else if (depth < first.load()) {
      while (!is_resumed.load()) std::this_thread::yield();
    }
  };
  const std::function<void(long)> nest_from = [&](long depth) {
    if (depth == kDepth) {
      while (run.load() == 0 || first.load() == kDepth) std::this_thread::yield();
      return;
    }
    spawn_and_continue([&] { nest_from(depth + 1); }, [&] { continuation(depth); });
    if (depth == first.load()) is_resumed = true;
  };
  nest_from(0);
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

// Whether it pops depends on who runs when: on a busy machine more runs are needed to see it.
bool is_next_of_many(long i, long popped) { return popped == 0 && i < repetitions(20000); }

TEST_F(BatchTest, WhoJoinsLastPopsWhatCameAlongOnAThreadOfTheProgram) {
  if (nopal::worker_count() != 2) GTEST_SKIP() << "others would take all: for two workers";
  long popped = 0;
  for (long i = 0; i < repetitions(20) || is_next_of_many(i, popped); ++i) join_last(popped);
  EXPECT_GT(popped, 0);
}

TEST_F(BatchTest, WhoJoinsLastPopsWhatCameAlongOnASegment) {
  if (nopal::worker_count() != 3) GTEST_SKIP() << "for three workers, of which one is kept busy";
  long popped = 0;
  for (long i = 0; i < repetitions(20) || is_next_of_many(i, popped); ++i) {
    std::atomic<bool> is_done{false};
    spawn_and_continue(
        [&] {
          while (!is_done.load()) std::this_thread::yield();
        },
        [&] {
          join_last(popped);
          is_done = true;
        });
  }
  EXPECT_GT(popped, 0);
}

// Batches of batches, with exceptions, and with many stacks that are suspended and resumed.
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
