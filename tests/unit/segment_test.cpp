// cactus-stack/: mapping, guard zones, reuse, bounds, trimming and accounting of stack segments.
//
// Each fixture ends by asserting that no segment is left mapped. Not covered: a refused mprotect in
// the middle of a mapping, and fork.
#include <cactus/segment.h>

#include "segment_memory.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using cactus::SegmentCache;
using cactus::SegmentPool;

constexpr std::size_t kBytes = std::size_t{256} << 10;
constexpr std::size_t kThreshold = std::size_t{8} << 10;  // what a cached segment keeps

SegmentPool::Options options(std::size_t max_idle) {
  return {.segment_bytes = kBytes, .max_idle = max_idle};
}

/// Whether SIGSEGV ended a process: by the signal, or by the exit of a sanitizer that caught it.
bool dies_of_fault(int status) {
  return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV
                             : WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

class SegmentTest : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    before_ = cactus::accounting();
    // As under ctest, where each test has a process of its own.
    if (before_.reserved != 0) GTEST_SKIP() << "the process has other segments";
  }
  void TearDown() override {
    if (IsSkipped()) return;
    const cactus::Accounting now = cactus::accounting();
    EXPECT_EQ(now.reserved, 0u);
    EXPECT_EQ(now.reserved_bytes, 0u);
    EXPECT_EQ(now.in_use, 0u);
    EXPECT_EQ(now.in_caches, 0u);
    EXPECT_EQ(now.in_pools, 0u);
    const cactus::Resident resident = cactus::resident();
    EXPECT_EQ(resident.in_use_bytes + resident.idle_bytes, 0u);
  }
  cactus::Accounting before_{};
};
using SegmentDeathTest = SegmentTest;

TEST_F(SegmentTest, Smoke) {
  SegmentPool pool(options(4));
  SegmentCache cache(pool);
  cactus::Segment *segment = cache.acquire();
  ASSERT_NE(segment, nullptr);
  EXPECT_EQ(segment->size_bytes(), kBytes);
  EXPECT_EQ(static_cast<char *>(segment->low()) + kBytes, segment->top());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment->top()) % cactus::page_bytes(), 0u);
  dirty(segment, kBytes);
  EXPECT_EQ(cactus::accounting().in_use, 1u);
  cache.release(segment);
  EXPECT_EQ(cactus::accounting().in_use, 0u);
  EXPECT_EQ(cactus::accounting().in_caches, 1u);
}

TEST_F(SegmentTest, SizesAreRoundedIntoTheRange) {
  EXPECT_EQ(cactus::round_segment_bytes(1), cactus::kMinSegmentBytes);
  EXPECT_EQ(cactus::round_segment_bytes(cactus::kMaxSegmentBytes + 1), cactus::kMaxSegmentBytes);
  EXPECT_EQ(cactus::round_segment_bytes((1 << 20) + 1),
            (std::size_t{1} << 20) + cactus::page_bytes());
  EXPECT_EQ(SegmentPool({.segment_bytes = 1, .max_idle = 0}).segment_bytes(),
            cactus::kMinSegmentBytes);
}

TEST_F(SegmentTest, DefaultSizeFollowsTheSoftStackLimit) {
  rlimit saved{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &saved), 0);
  rlimit changed = saved;
  changed.rlim_cur = std::size_t{3} << 20;
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &changed), 0);
  EXPECT_EQ(cactus::default_segment_bytes(), std::size_t{3} << 20);
  EXPECT_EQ(SegmentPool({.segment_bytes = 0, .max_idle = 0}).segment_bytes(), std::size_t{3} << 20);
  changed.rlim_cur = saved.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &changed), 0);
  if (saved.rlim_max == RLIM_INFINITY)
    EXPECT_EQ(cactus::default_segment_bytes(), std::size_t{8} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &saved), 0);
}

TEST_F(SegmentTest, CacheReusesTheLastReleasedFirst) {
  SegmentPool pool(options(4));
  SegmentCache cache(pool);
  cactus::Segment *a = cache.acquire();
  cactus::Segment *b = cache.acquire();
  cache.release(a);
  cache.release(b);
  EXPECT_EQ(cache.acquire(), b);
  EXPECT_EQ(cache.acquire(), a);
  EXPECT_EQ(cache.acquired(), 4u);
  EXPECT_EQ(cache.misses(), 2u);
  EXPECT_EQ(cactus::accounting().maps, before_.maps + 2);
  cache.release(a);
  cache.release(b);
}

TEST_F(SegmentTest, CacheAndPoolAreBounded) {
  constexpr std::size_t kSegments = 16;
  constexpr std::size_t kPoolIdle = 3;
  SegmentPool pool(options(kPoolIdle));
  SegmentCache cache(pool);
  std::vector<cactus::Segment *> held;
  for (std::size_t i = 0; i < kSegments; ++i) held.push_back(cache.acquire());
  EXPECT_EQ(cactus::accounting().in_use, kSegments);
  EXPECT_GE(cactus::accounting().peak_in_use, kSegments);
  for (cactus::Segment *segment : held) cache.release(segment);
  EXPECT_EQ(cache.idle(), SegmentCache::kCapacity);
  EXPECT_EQ(pool.idle(), kPoolIdle);
  const cactus::Accounting now = cactus::accounting();
  EXPECT_EQ(now.reserved, SegmentCache::kCapacity + kPoolIdle);
  EXPECT_EQ(now.in_caches, SegmentCache::kCapacity);
  EXPECT_EQ(now.in_pools, kPoolIdle);
  cache.flush();
  EXPECT_EQ(cactus::accounting().in_caches, 0u);
  pool.clear();
  EXPECT_EQ(cactus::accounting().reserved, 0u);
}

TEST_F(SegmentTest, PoolServesWithoutACache) {
  SegmentPool pool(options(1));
  cactus::Segment *segment = pool.acquire();
  ASSERT_NE(segment, nullptr);
  pool.release(segment);
  EXPECT_EQ(pool.idle(), 1u);
  EXPECT_EQ(pool.acquire(), segment);
  pool.release(segment);
}

TEST_F(SegmentTest, SegmentsAreDistinctAndDoNotOverlap) {
  SegmentPool pool(options(0));
  std::vector<cactus::Segment *> held;
  for (int i = 0; i < 20; ++i) held.push_back(pool.acquire());
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (std::size_t j = 0; j < held.size(); ++j) {
      if (i != j)
        EXPECT_TRUE(held[i]->top() <= held[j]->guard() || held[j]->top() <= held[i]->guard());
    }
  }
  for (cactus::Segment *segment : held) pool.release(segment);
}

TEST_F(SegmentTest, UntouchedSegmentIsNotResident) {
  SegmentPool pool(options(0));
  cactus::Segment *segment = pool.acquire();
  EXPECT_EQ(cactus::resident().in_use_bytes, 0u);
  dirty(segment, 3 * cactus::page_bytes());
  EXPECT_EQ(cactus::resident().in_use_bytes, 3 * cactus::page_bytes());
  pool.release(segment);
}

TEST_F(SegmentTest, DeeplyTouchedSegmentIsTrimmedAtRelease) {
  SegmentPool pool(options(4));
  SegmentCache cache(pool);
  cactus::Segment *segment = cache.acquire();
  dirty(segment, kBytes);
  EXPECT_EQ(cactus::resident().in_use_bytes, kBytes);
  cache.release(segment);
  EXPECT_EQ(cactus::resident().idle_bytes, kThreshold);
  EXPECT_EQ(cactus::accounting().decommits, before_.decommits + 1);
  EXPECT_EQ(*below_top(segment, kBytes), 0) << "decommitted pages read as zero";
}

TEST_F(SegmentTest, ShallowUseKeepsItsPages) {
  SegmentPool pool(options(4));
  SegmentCache cache(pool);
  cactus::Segment *segment = cache.acquire();
  dirty(segment, kThreshold);
  cache.release(segment);
  EXPECT_EQ(*below_top(segment, kThreshold), 0x5a);
  EXPECT_EQ(cactus::resident().idle_bytes, kThreshold);
}

TEST_F(SegmentTest, FrameWithHolesIsTrimmedWhole) {
  SegmentPool pool(options(4));
  SegmentCache cache(pool);
  cactus::Segment *segment = cache.acquire();
  std::memset(below_top(segment, kBytes), 1,
              cactus::page_bytes());  // all pages above it stay clean
  cache.release(segment);
  EXPECT_EQ(cactus::resident().idle_bytes, 0u);
}

TEST_F(SegmentTest, PooledSegmentsAreNotResident) {
  SegmentPool pool(options(4));
  cactus::Segment *segment = pool.acquire();
  dirty(segment, kBytes);
  pool.release(segment);
  EXPECT_EQ(cactus::resident().idle_bytes, 0u);
  EXPECT_EQ(cactus::resident().in_use_bytes, 0u);
}

TEST_F(SegmentTest, SuspendedSegmentDecommitsWhatLiesBelowItsStackPointer) {
  SegmentPool pool(options(0));
  cactus::Segment *segment = pool.acquire();
  dirty(segment, kBytes);
  const std::size_t page = cactus::page_bytes();
  char *stack_pointer = below_top(segment, 5 * page + 64);
  segment->decommit_below(stack_pointer, 0);
  // The stack pointer and its red zone lie in the sixth page.
  EXPECT_EQ(cactus::resident().in_use_bytes, 6 * page);
  for (const char *p = stack_pointer - 128; p < static_cast<char *>(segment->top()); ++p)
    ASSERT_EQ(*p, 0x5a);
  segment->decommit_below(segment->low(), 0);
  segment->decommit_below(segment->top(), 0);  // not on the segment: nothing
  EXPECT_EQ(cactus::resident().in_use_bytes, 6 * page);
  pool.release(segment);
}

TEST_F(SegmentTest, FindSegmentTellsSegmentAndGuard) {
  SegmentPool pool(options(1));
  cactus::Segment *a = pool.acquire();
  cactus::Segment *b = pool.acquire();
  for (cactus::Segment *segment : {a, b}) {
    const cactus::Found low = cactus::find_segment(segment->low());
    EXPECT_EQ(low.segment, segment);
    EXPECT_FALSE(low.in_guard);
    EXPECT_EQ(cactus::find_segment(below_top(segment, 1)).segment, segment);
    const cactus::Found guard = cactus::find_segment(static_cast<char *>(segment->low()) - 1);
    EXPECT_EQ(guard.segment, segment);
    EXPECT_TRUE(guard.in_guard);
    EXPECT_TRUE(cactus::find_segment(segment->guard()).in_guard);
  }
  int local = 0;
  EXPECT_EQ(cactus::find_segment(&local).segment, nullptr);
  EXPECT_EQ(cactus::find_segment(nullptr).segment, nullptr);
  void *low = a->low();
  pool.release(a);
  pool.clear();
  EXPECT_EQ(cactus::find_segment(low).segment, nullptr) << "unmapped segments are not found";
  pool.release(b);
}

TEST_F(SegmentTest, FailureReturnsNullWithErrno) {
  SegmentPool pool({.segment_bytes = cactus::kMaxSegmentBytes,
                    .max_idle = 0});  // 1 TiB each: the address space ends before 1024
  SegmentCache cache(pool);
  std::vector<cactus::Segment *> held;
  int error = 0;
  for (int i = 0; i < 1024; ++i) {
    errno = 0;
    cactus::Segment *segment = cache.acquire();
    if (segment == nullptr) {
      error = errno;
      break;
    }
    held.push_back(segment);
  }
  EXPECT_EQ(error, ENOMEM);
  EXPECT_EQ(cactus::accounting().in_use, held.size());
  EXPECT_EQ(cache.acquired(), held.size());
  for (cactus::Segment *segment : held) cache.release(segment);
}

TEST_F(SegmentTest, ReleaseIntoAnotherCache) {
  SegmentPool pool(options(4));
  SegmentCache a(pool);
  SegmentCache b(pool);
  cactus::Segment *segment = a.acquire();
  b.release(segment);
  EXPECT_EQ(a.idle(), 0u);
  EXPECT_EQ(b.idle(), 1u);
}

TEST_F(SegmentTest, Stress) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 2000;
  SegmentPool pool(options(2));
  std::atomic<std::size_t> failures{0};
  std::atomic<int> clashes{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      SegmentCache cache(pool);
      std::vector<cactus::Segment *> held;
      unsigned random = static_cast<unsigned>(t) * 2654435761u + 1;
      for (int i = 0; i < kRounds; ++i) {
        random = random * 1664525u + 1013904223u;
        if (held.size() < 10 && (held.empty() || (random >> 16) % 2 == 0)) {
          cactus::Segment *segment = cache.acquire();
          if (segment == nullptr) {
            ++failures;
            continue;
          }
          *below_top(segment, 8) = static_cast<char>(t + 1);
          held.push_back(segment);
        } else {
          cactus::Segment *segment = held.back();
          held.pop_back();
          if (*below_top(segment, 8) != static_cast<char>(t + 1)) ++clashes;
          cache.release(segment);
        }
        if (i % 500 == 0) cactus::resident();
      }
      for (cactus::Segment *segment : held) cache.release(segment);
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0u);
  EXPECT_EQ(clashes.load(), 0) << "a segment had two holders";
  EXPECT_LE(cactus::accounting().peak_in_use,
            std::max(before_.peak_in_use, std::size_t{kThreads} * 10));
  EXPECT_LE(pool.idle(), 2u);
}

TEST_F(SegmentTest, PassedAmongThreadsThroughThePool) {
  SegmentPool pool(options(64));
  std::atomic<int> round{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        cactus::Segment *segment = pool.acquire();
        EXPECT_EQ(*below_top(segment, 1), 0) << "a pooled segment is decommitted whole";
        *below_top(segment, 1) = 1;
        ++round;
        pool.release(segment);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(round.load(), 8000);
}

TEST_F(SegmentDeathTest, GuardZoneFaultsOnReadAndWrite) {
  SegmentPool pool(options(0));
  cactus::Segment *segment = pool.acquire();
  auto *low = static_cast<volatile char *>(segment->low());
  EXPECT_EXIT(low[-1] = 1, dies_of_fault, "");
  EXPECT_EXIT((void)low[-1], dies_of_fault, "");
  EXPECT_EXIT(*static_cast<volatile char *>(segment->guard()) = 1, dies_of_fault, "");
  low[0] = 1;
  pool.release(segment);
}

TEST_F(SegmentDeathTest, ReleasingTwiceIsRefused) {
  SegmentPool pool(options(2));
  SegmentCache cache(pool);
  cactus::Segment *segment = cache.acquire();
  cache.release(segment);
  EXPECT_DEATH(cache.release(segment), "cactus: fatal: released twice");
  EXPECT_DEATH(pool.release(segment), "cactus: fatal: released twice");
  SegmentPool other({.segment_bytes = 2 * kBytes, .max_idle = 1});
  cactus::Segment *stranger = other.acquire();
  EXPECT_DEATH(cache.release(stranger), "another segment size");
  other.release(stranger);
}

}  // namespace
