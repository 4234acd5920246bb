// cactus-stack/measure.h: accounts, peaks before each decommit, suspended stacks, adopted stacks
// and the deepest path.
//
// The meter is one for the process, and peaks never fall: run by ctest, where each test has a
// process of its own. Not covered: what other workers touch during a measurement.
#include <cactus/measure.h>

#include "segment_memory.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using cactus::Account;
using cactus::AdoptedStack;
using cactus::Measuring;
using cactus::Segment;
using cactus::SegmentCache;
using cactus::SegmentPool;
using cactus::StackUsage;

constexpr std::size_t kMeasuredBytes = std::size_t{1} << 20;
const std::size_t kPage = cactus::page_bytes();

class MeasureTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cactus::measurements() != 0) GTEST_SKIP() << "the process has measured before";
    cactus::set_measuring(Measuring::kExact);
  }
  void TearDown() override { cactus::set_measuring(Measuring::kOff); }
  SegmentPool pool_{{.segment_bytes = kMeasuredBytes, .max_idle = 4}};
};

TEST_F(MeasureTest, NothingIsMeasuredUnasked) {
  cactus::set_measuring(Measuring::kOff);
  Segment *segment = pool_.acquire();
  dirty(segment, kMeasuredBytes);
  pool_.release(segment);
  EXPECT_EQ(cactus::measurements(), 0u);
  EXPECT_EQ(cactus::usage().peak.resident, 0u);
}

TEST_F(MeasureTest, PeakIsWhatWasThereBeforeTheDecommit) {
  Account account;
  SegmentCache cache(pool_);
  Segment *a = cache.acquire();
  Segment *b = cache.acquire();
  a->run(&account);
  b->run(&account);
  dirty(a, 40 * kPage);
  dirty(b, 30 * kPage);
  cache.release(a);
  dirty(b, 35 * kPage);
  cache.release(b);
  cactus::measure();
  const StackUsage usage = account.usage();
  EXPECT_EQ(usage.peak.resident, 70 * kPage) << "later b had 35 pages, but a two";
  EXPECT_EQ(usage.now.resident, 4 * kPage);
  EXPECT_EQ(usage.now.live, 0u) << "idle segments hold no frames";
  EXPECT_EQ(usage.now.reserved, 2 * kMeasuredBytes) << "they count for the worker that keeps them";
  EXPECT_EQ(usage.peak.reserved, 2 * kMeasuredBytes);
  EXPECT_EQ(cactus::usage().peak.resident, 70 * kPage);
}

TEST_F(MeasureTest, EveryDecommitIsMeasured) {
  const cactus::Accounting before = cactus::accounting();
  SegmentCache cache(pool_);
  for (int i = 0; i < 10; ++i) {
    Segment *segment = cache.acquire();
    dirty(segment, 20 * kPage);
    segment->suspend(below_top(segment, kPage), 0);
    segment->run(nullptr);
    cache.release(segment);
  }
  EXPECT_EQ(cactus::measurements(), cactus::accounting().decommits - before.decommits);
}

TEST_F(MeasureTest, SampledMeasurementsAreFew) {
  cactus::set_measuring(Measuring::kSampled);
  SegmentCache cache(pool_);
  for (int i = 0; i < 1000; ++i) cache.release(cache.acquire());
  EXPECT_GE(cactus::measurements(), 1u);
  EXPECT_LT(cactus::measurements(), 500u);
}

TEST_F(MeasureTest, StackSuspendedKeepsItsFramesAndWhatItMay) {
  Account account;
  for (const std::size_t kept : {std::size_t{0}, cactus::kKeptBelowBytes}) {
    Segment *segment = pool_.acquire();
    segment->run(&account);
    dirty(segment, 100 * kPage);
    char *stack_pointer = below_top(segment, 5 * kPage + 64);
    segment->suspend(stack_pointer, kept);
    cactus::measure();
    EXPECT_EQ(account.usage().now.resident, 6 * kPage + kept);
    EXPECT_EQ(account.usage().now.live, 5 * kPage + 64);
    for (const char *p = stack_pointer - 128; p < segment->top(); ++p) ASSERT_EQ(*p, 0x5a);
    segment->run(&account);
    cactus::measure();
    EXPECT_EQ(account.usage().now.live, 6 * kPage + kept) << "of a running stack all is live";
    pool_.release(segment);
  }
  EXPECT_EQ(account.usage().peak.resident, 100 * kPage);
}

TEST_F(MeasureTest, BytesCountForTheWorkerThatRunsTheStack) {
  Account left;
  Account found;
  Segment *segment = pool_.acquire();
  segment->run(&left);
  dirty(segment, 3 * kPage);
  segment->suspend(below_top(segment, 3 * kPage), 0);
  cactus::measure();
  EXPECT_GE(left.usage().now.resident, 3 * kPage);
  segment->run(&found);
  cactus::measure();
  EXPECT_EQ(left.usage().now.resident, 0u);
  EXPECT_GE(found.usage().now.resident, 3 * kPage);
  pool_.release(segment);
  cactus::measure();
  EXPECT_EQ(found.usage().now.reserved, 0u) << "a pooled segment is nobody's";
}

TEST_F(MeasureTest, DeepestPathGoesOverForks) {
  Segment *parent = pool_.acquire();
  Segment *child = pool_.acquire();
  Segment *grandchild = pool_.acquire();
  for (Segment *s : {parent, child, grandchild}) s->run(nullptr);
  dirty(parent, 10 * kPage);
  // The child's frames begin a page below its top, and continue what ended eight pages deep in the
  // parent.
  child->grow_from(below_top(parent, 8 * kPage), below_top(child, kPage));
  dirty(child, 5 * kPage);
  grandchild->grow_from(below_top(child, 3 * kPage), below_top(grandchild, kPage));
  dirty(grandchild, 7 * kPage);
  cactus::measure();
  EXPECT_EQ(cactus::deepest_path(), (8 + (3 - 1) + (7 - 1)) * kPage);
  for (Segment *s : {parent, child, grandchild}) pool_.release(s);
}

/// Touches `bytes` of the calling thread's stack.
[[gnu::noinline]] void dirty_own_stack(std::size_t bytes) {
  auto *memory = static_cast<char *>(__builtin_alloca(bytes));
  std::memset(memory, 1, bytes);
  asm volatile("" : : "r"(memory) : "memory");
}

void check_adopted_stack() {
  constexpr std::size_t kDepth = std::size_t{512} << 10;
  Account account;
  AdoptedStack stack(&account);
  cactus::measure();
  const std::size_t before = account.usage().now.resident;
  dirty_own_stack(kDepth);
  cactus::measure();
  EXPECT_GE(account.usage().now.resident, kDepth);
  EXPECT_GE(cactus::deepest_path(), kDepth);
  stack.suspend(__builtin_frame_address(0), 2 * kPage);
  cactus::measure();
  EXPECT_LE(account.usage().now.resident, before + 8 * kPage);
  EXPECT_EQ(account.usage().now.reserved, 0u);
  stack.run(&account);
  dirty_own_stack(kDepth);
  cactus::measure();
  EXPECT_GE(account.usage().now.live, kDepth);
}

TEST_F(MeasureTest, FirstThreadsStackIsAdopted) { check_adopted_stack(); }
TEST_F(MeasureTest, OtherThreadsStackIsAdopted) { std::thread(check_adopted_stack).join(); }

// Another thread measures nearly all the time, so without care a forked process would find the
// mutex held.
TEST_F(MeasureTest, ForkedProcessFindsNoMutexHeld) {
  SegmentPool pool({.segment_bytes = kMeasuredBytes, .max_idle = 0});
  std::vector<Segment *> segments;
  for (int i = 0; i < 16; ++i) segments.push_back(pool.acquire());
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) cactus::measure();
  });
  for (int i = 0; i < 50; ++i) {
    cactus::lock_for_fork();
    pool.lock();
    const pid_t child = fork();
    pool.unlock();
    cactus::unlock_after_fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      const Account account;
      pool.release(pool.acquire());
      cactus::measure();
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0) << "14: it waited for ever";
  }
  is_over = true;
  other.join();
  for (Segment *segment : segments) pool.release(segment);
}

TEST_F(MeasureTest, MeasuredWhileOthersRun) {
  constexpr int kThreads = 4;
  std::thread threads[kThreads];
  for (std::thread &thread : threads) {
    thread = std::thread([this] {
      Account account;
      SegmentCache cache(pool_);
      for (int i = 0; i < 300; ++i) {
        Segment *segment = cache.acquire();
        segment->run(&account);
        dirty(segment, 10 * kPage);
        segment->suspend(below_top(segment, 5 * kPage), 0);
        segment->run(&account);
        segment->grow_from(segment->top(), segment->top());
        cache.release(segment);
      }
      cache.flush();
    });
  }
  for (std::thread &thread : threads) thread.join();
  pool_.clear();
  const StackUsage usage = cactus::usage();
  EXPECT_GE(usage.peak.resident, 10 * kPage);
  EXPECT_LE(usage.peak.resident, kThreads * (10 + SegmentCache::kCapacity * 2) * kPage);
  cactus::measure();
  EXPECT_EQ(cactus::usage().now.reserved, 0u);
}

}  // namespace
