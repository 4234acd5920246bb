// cactus-stack/: deferred trimming (deferred_trim.h), and paths that begin where others have ended
// (Segment::begin_path).
#include <cactus/deferred_trim.h>
#include <cactus/measure.h>
#include <cactus/segment.h>

#include "platform/atoms.h"
#include "segment_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace {

using cactus::DeferredTrim;
using cactus::Depth;
using cactus::Segment;

constexpr std::size_t kPoolBytes = std::size_t{256} << 10;
const std::size_t kPage = cactus::page_bytes();

class DeferredTrimTest : public testing::Test {
 protected:
  void SetUp() override {
    segment_ = pool_.acquire();
    other_ = pool_.acquire();
    for (Segment *s : {segment_, other_}) s->run(nullptr);
    before_ = cactus::accounting().decommits;
  }
  void TearDown() override {
    for (Segment *s : {segment_, other_}) pool_.release(s);
  }
  std::size_t resident() const { return cactus::resident().in_use_bytes; }
  std::uint64_t decommits() const { return cactus::accounting().decommits - before_; }

  cactus::SegmentPool pool_{{.segment_bytes = kPoolBytes, .max_idle = 0}};
  Segment *segment_ = nullptr;
  Segment *other_ = nullptr;
  std::uint64_t before_ = 0;
};

TEST_F(DeferredTrimTest, PagesStayUntilItIsPerformed) {
  DeferredTrim trim;
  dirty(segment_, 20 * kPage);
  segment_->suspend(below_top(segment_, 5 * kPage), kPage, trim);
  EXPECT_EQ(resident(), 20 * kPage);
  trim.perform();
  EXPECT_EQ(resident(), 7 * kPage)
      << "its frames, the page of the red zone and the one that is kept";
  EXPECT_EQ(decommits(), 1u);
  trim.perform();
  EXPECT_EQ(decommits(), 1u) << "nothing is pending any more";
  segment_->run(nullptr);
}

TEST_F(DeferredTrimTest, RunCancelsIt) {
  DeferredTrim trim;
  dirty(segment_, 20 * kPage);
  segment_->suspend(below_top(segment_, 5 * kPage), kPage, trim);
  segment_->run(nullptr);
  trim.perform();
  EXPECT_EQ(decommits(), 0u);
  EXPECT_EQ(resident(), 20 * kPage);
}

TEST_F(DeferredTrimTest, CancelTrimCancelsIt) {
  DeferredTrim trim;
  dirty(segment_, 20 * kPage);
  segment_->suspend(below_top(segment_, 5 * kPage), kPage, trim);
  segment_->cancel_trim();
  trim.perform();
  EXPECT_EQ(decommits(), 0u);
  segment_->run(nullptr);
}

TEST_F(DeferredTrimTest, OneStackAtATime) {
  DeferredTrim trim;
  dirty(segment_, 20 * kPage);
  dirty(other_, 20 * kPage);
  segment_->suspend(below_top(segment_, 5 * kPage), kPage, trim);
  other_->suspend(below_top(other_, 5 * kPage), kPage, trim);
  EXPECT_EQ(resident(), 27 * kPage) << "the first was performed";
  segment_->run(nullptr);
  trim.perform();
  EXPECT_EQ(resident(), 14 * kPage) << "running one stack does not cancel the trim of another";
  other_->run(nullptr);
}

// A fiber of the program's, with a stack of its own, is suspended: what lies between that stack and
// the segment is not ours.
TEST_F(DeferredTrimTest, AStackPointerElsewhereTrimsNothing) {
  DeferredTrim trim;
  dirty(segment_, 20 * kPage);
  for (const void *elsewhere : {segment_->guard(), segment_->top()}) {
    segment_->suspend(elsewhere, kPage, trim);
    EXPECT_FALSE(trim.is_pending());
    EXPECT_EQ(resident(), 20 * kPage);
    segment_->run(nullptr);
  }
  EXPECT_EQ(decommits(), 0u);
}

// Owner and resumer race: the stack keeps what it holds when it runs.
TEST_F(DeferredTrimTest, PerformedAndCancelledAtOnce) {
  DeferredTrim trim;
  std::atomic<int> round{0};
  std::atomic<long> wrong{0};
  constexpr int kRounds = 4000;
  std::thread owner([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (round.load() < i) std::this_thread::yield();
      trim.perform();
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    segment_->suspend(below_top(segment_, kPage), 0, trim);
    round.store(i);
    for (int spin = i % 64; spin > 0; --spin) nopal::HardwareAtoms::spin_pause();
    segment_->run(nullptr);
    dirty(segment_, 10 * kPage);
    for (std::size_t page = 1; page <= 10; ++page)
      if (*below_top(segment_, page * kPage) != 0x5a) ++wrong;
    // The next round uses the same object, so the owner must be done with this one.
    if (i % 2 == 0)
      while (trim.is_pending()) std::this_thread::yield();
  }
  owner.join();
  EXPECT_EQ(wrong, 0);
}

class PathTest : public DeferredTrimTest {};

TEST_F(PathTest, NothingIsDecommittedWithinTheSpare) {
  const char *here = below_top(segment_, 512);
  segment_->begin_path({1000, 1100}, here, kPage, 4096);
  dirty(segment_, 20 * kPage);
  segment_->begin_path({1500, 1600}, here, kPage, 4096);
  segment_->begin_path({100, 200}, here, kPage, 4096);
  segment_->begin_path({4000, 4100}, here, kPage, 4096);
  EXPECT_EQ(decommits(), 0u) << "4100 is 4000 deeper than the shallowest";
  segment_->begin_path({4000, 4200}, here, kPage, 4096);
  EXPECT_EQ(decommits(), 1u);
  EXPECT_LE(resident(), 2 * kPage);
  segment_->begin_path({8000, 8096}, here, kPage, 4096);
  EXPECT_EQ(decommits(), 1u) << "the path before was the first since then";
}

TEST_F(PathTest, AnUnknownDepthIsTrimmed) {
  const char *here = below_top(segment_, 512);
  segment_->begin_path({0, 0}, here, kPage, kPoolBytes);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    segment_->begin_path({0, cactus::kUnknownDepth}, here, kPage, kPoolBytes);
    EXPECT_EQ(decommits(), i);
  }
}

TEST_F(PathTest, AFirstPathHasNothingToTrim) {
  segment_->begin_path({0, cactus::kUnknownDepth}, below_top(segment_, 512), kPage, 0);
  EXPECT_EQ(decommits(), 0u);
  segment_->end_paths(below_top(segment_, 512), kPage);
  segment_->end_paths(below_top(segment_, 512), kPage);
  EXPECT_EQ(decommits(), 1u) << "once for what has begun";
}

}  // namespace
