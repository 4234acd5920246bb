// The join on real threads and step by step. All schedules of small cases:
// tests/model/join_model.cpp.
#include "../../runtime/src/frame/join.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

namespace nopal {
namespace {

constexpr uintptr_t kSite = 64;
constexpr uintptr_t kContext = 16;
constexpr uint32_t kThief = 7;

nopal_frame entered_frame() {
  nopal_frame frame = {};
  frame.site = kSite;
  frame.steals = 1234;                                           // garbage until the first steal
  frame.exceptions = reinterpret_cast<void *>(uintptr_t{4711});  // garbage until THREW
  frame.views = frame.exceptions;                                // garbage until the first steal
  frame.owner = 4711;
  frame.join = 0;
  return frame;
}

// A kept exception as the join sees it: a node with room for a link.
struct Node {
  void *next = nullptr;
};
void add(nopal_frame *frame, Node *node) {
  FrameJoin::add_exception(frame, node, [node](void *head) { node->next = head; });
}

TEST(JoinTest, Smoke) {
  nopal_frame frame = entered_frame();
  FrameJoin::count_steal(&frame, kThief);
  EXPECT_EQ(frame.steals, 1);
  EXPECT_FALSE(FrameJoin::is_only_child_left(&frame));
  EXPECT_FALSE(FrameJoin::sync_joins(&frame));
  EXPECT_TRUE(FrameJoin::is_only_child_left(&frame));
  EXPECT_TRUE(FrameJoin::suspended_child_joins(&frame, kContext));
  EXPECT_EQ(frame.context, kContext);
  EXPECT_EQ(FrameJoin::take_exceptions_and_reset(&frame), nullptr);
  EXPECT_EQ(frame.join, 0);
}

TEST(JoinTest, TheFirstStealSaysWhoseTheFrameIsAndClearsTheViews) {
  nopal_frame frame = entered_frame();
  int views;
  for (int region = 0; region < 2; ++region) {
    frame.site = kSite;
    FrameJoin::count_steal(&frame, kThief);
    EXPECT_EQ(frame.owner, kThief);
    EXPECT_EQ(frame.views, nullptr);
    frame.views = &views;
    frame.site = kSite | NOPAL_SITE_SLOW;
    FrameJoin::count_steal(&frame, kThief + 1);
    EXPECT_EQ(frame.owner, kThief) << "still its own";
    EXPECT_EQ(frame.views, &views) << "its holder's";
  }
}

TEST(JoinTest, Empty) {
  // A sync without outstanding children: all that was stolen has joined.
  nopal_frame frame = entered_frame();
  FrameJoin::count_steal(&frame, kThief);
  EXPECT_FALSE(FrameJoin::child_joins(&frame));
  EXPECT_TRUE(FrameJoin::sync_joins(&frame));
}

TEST(JoinTest, OwnerOnly) {
  // Counts by hand, over two sync regions of one activation.
  nopal_frame frame = entered_frame();
  for (int region = 0; region < 2; ++region) {
    frame.site = kSite;
    FrameJoin::count_steal(&frame, kThief);
    frame.site = kSite | NOPAL_SITE_SLOW;
    FrameJoin::count_steal(&frame, kThief);
    FrameJoin::count_steal(&frame, kThief);
    EXPECT_EQ(frame.steals, 3);
    EXPECT_FALSE(FrameJoin::child_joins(&frame));
    EXPECT_FALSE(FrameJoin::sync_joins(&frame));
    EXPECT_EQ(frame.join, 2 * NOPAL_JOIN_ONE);
    EXPECT_FALSE(FrameJoin::child_joins(&frame));
    EXPECT_TRUE(FrameJoin::is_only_child_left(&frame));
    EXPECT_TRUE(FrameJoin::child_joins(&frame));
    EXPECT_EQ(FrameJoin::take_exceptions_and_reset(&frame), nullptr);
    EXPECT_EQ(frame.join, 0);
    EXPECT_EQ(frame.steals, 0);
  }
}

TEST(JoinTest, Exceptions) {
  nopal_frame frame = entered_frame();
  FrameJoin::count_steal(&frame, kThief);
  Node first, second;
  first.next = second.next = &frame;
  add(&frame, &first);
  EXPECT_EQ(frame.join, NOPAL_JOIN_THREW);
  EXPECT_FALSE(FrameJoin::child_joins(&frame));
  add(&frame, &second);
  EXPECT_EQ(frame.join, NOPAL_JOIN_THREW - NOPAL_JOIN_ONE);
  EXPECT_TRUE(FrameJoin::sync_joins(&frame));
  EXPECT_EQ(FrameJoin::take_exceptions_and_reset(&frame), &second);
  EXPECT_EQ(second.next, &first);
  EXPECT_EQ(first.next, nullptr);
  EXPECT_EQ(frame.join, 0);
}

TEST(JoinTest, Spsc) {
  // One child and the sync join at the same time, many times: exactly one is last, and sees the
  // other's plain writes.
  constexpr int kRounds = 20000;
  nopal_frame frame = entered_frame();
  std::atomic<int> round{0};
  int by_child = 0, by_sync = 0;  // plain
  int last_count = 0;
  const auto go_on = [&](int expected) {
    ASSERT_EQ(by_child, expected);
    ASSERT_EQ(by_sync, expected);
    ++last_count;
    FrameJoin::take_exceptions_and_reset(&frame);
    FrameJoin::count_steal(&frame, kThief);
    round.store(expected, std::memory_order_release);
  };
  FrameJoin::count_steal(&frame, kThief);
  std::thread child([&] {
    for (int i = 1; i <= kRounds; ++i) {
      by_child = i;
      if (FrameJoin::child_joins(&frame)) go_on(i);
      while (round.load(std::memory_order_acquire) < i) std::this_thread::yield();
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    by_sync = i;
    if (FrameJoin::sync_joins(&frame)) go_on(i);
    while (round.load(std::memory_order_acquire) < i) std::this_thread::yield();
  }
  child.join();
  EXPECT_EQ(last_count, kRounds);
}

// Children that join at once, some of them throwing, with the sync somewhere among them.
void stampede(int children, unsigned seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::minstd_rand random(seed);
  nopal_frame frame = entered_frame();
  for (int i = 0; i < children; ++i) {
    FrameJoin::count_steal(&frame, kThief);
    frame.site = kSite | NOPAL_SITE_SLOW;
  }
  std::vector<Node> nodes(static_cast<size_t>(children) + 1);
  std::vector<bool> throws(nodes.size());
  for (size_t i = 0; i < throws.size(); ++i) throws[i] = random() % 2 == 0;
  std::atomic<int> last_count{0};
  std::atomic<bool> start{false};
  std::vector<std::thread> threads;
  const auto participate = [&](size_t i) {
    while (!start.load(std::memory_order_acquire)) std::this_thread::yield();
    if (throws[i]) add(&frame, &nodes[i]);
    const bool is_sync = i + 1 == nodes.size();
    if (!(is_sync ? FrameJoin::sync_joins(&frame) : FrameJoin::child_joins(&frame))) return;
    last_count.fetch_add(1);
    size_t found = 0, expected = 0;
    for (auto *node = static_cast<Node *>(FrameJoin::take_exceptions_and_reset(&frame));
         node != nullptr; node = static_cast<Node *>(node->next))
      ++found;
    for (const bool t : throws) expected += t;
    EXPECT_EQ(found, expected);
    EXPECT_EQ(frame.join, 0);
  };
  for (size_t i = 0; i < nodes.size(); ++i) threads.emplace_back(participate, i);
  start.store(true, std::memory_order_release);
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(last_count.load(), 1);
}

TEST(JoinTest, Stampede) { stampede(12, 1); }

TEST(JoinTest, Stress) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  for (unsigned i = 0; i < 300; ++i) stampede(1 + static_cast<int>(i % 5), seed + i);
}

TEST(JoinTest, Grow) {
  // Counts far beyond 16 and 32 bits: a frame whose continuation is stolen billions of times.
  nopal_frame frame = entered_frame();
  frame.site |= NOPAL_SITE_SLOW;
  frame.steals = int64_t{1} << 40;
  FrameJoin::count_steal(&frame, kThief);
  frame.join = -(int64_t{1} << 40) * NOPAL_JOIN_ONE;  // that many have joined
  EXPECT_FALSE(FrameJoin::sync_joins(&frame));
  EXPECT_TRUE(FrameJoin::child_joins(&frame));
}

}  // namespace
}  // namespace nopal
