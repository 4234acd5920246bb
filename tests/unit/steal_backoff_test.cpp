// When a thief rests: after so many short paths in a row, longer each time, and not once a path was
// worth its steal.
#include "worker/steal_backoff.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using nopal::StealBackoff;
using std::chrono::nanoseconds;

void steal(StealBackoff &backoff, std::uint64_t ns) {
  static std::uint64_t now = 1;
  backoff.path_begins(now);
  backoff.path_ends(now += ns);
}

void steal_short_ones(StealBackoff &backoff, int times) {
  for (; times > 0; --times) steal(backoff, StealBackoff::kShortNs - 1);
}

/// As one that has not stolen yet: not before so many short paths, and then for the first time.
void expect_rest_after_the_last(StealBackoff &backoff) {
  EXPECT_EQ(backoff.pause(), nanoseconds{0});
  steal_short_ones(backoff, StealBackoff::kMostInARow - 1);
  EXPECT_EQ(backoff.pause(), nanoseconds{0});
  steal_short_ones(backoff, 1);
  EXPECT_EQ(backoff.pause(), StealBackoff::kFirstPause);
}

TEST(StealBackoff, RestsAfterShortPathsInARow) {
  StealBackoff backoff;
  expect_rest_after_the_last(backoff);
}

TEST(StealBackoff, RestsLongerEachTime) {
  StealBackoff backoff;
  steal_short_ones(backoff, StealBackoff::kMostInARow);
  for (nanoseconds expected = StealBackoff::kFirstPause; expected < StealBackoff::kLongestPause;
       expected *= 2) {
    EXPECT_EQ(backoff.pause(), expected);
    steal_short_ones(backoff, 1);
  }
  EXPECT_EQ(backoff.pause(), StealBackoff::kLongestPause);
  steal_short_ones(backoff, 100);
  EXPECT_EQ(backoff.pause(), StealBackoff::kLongestPause);
}

TEST(StealBackoff, OneLongPathIsEnough) {
  StealBackoff backoff;
  steal_short_ones(backoff, StealBackoff::kMostInARow + 3);
  steal(backoff, StealBackoff::kShortNs);
  expect_rest_after_the_last(backoff);
}

// As when a program makes a short loop now and then: that a thief comes costs nobody, and the next
// loop is not to wait.
TEST(StealBackoff, SeldomStealsDoNotCount) {
  StealBackoff backoff;
  std::uint64_t now = 1;
  const auto steal_after = [&](std::uint64_t ns) {
    backoff.path_begins(now += ns);
    backoff.path_ends(now += 1);
  };
  for (int times = 0; times < 100; ++times) steal_after(StealBackoff::kSeldomNs + 1);
  EXPECT_EQ(backoff.pause(), nanoseconds{0});
  for (int times = 1; times < StealBackoff::kMostInARow; ++times)
    steal_after(StealBackoff::kSeldomNs);  // the last one before was the first
  EXPECT_EQ(backoff.pause(), StealBackoff::kFirstPause);
  // Its own rest makes none seldom.
  now += 100 * StealBackoff::kSeldomNs;
  backoff.rest_ends(now);
  steal_after(10);
  EXPECT_EQ(backoff.pause(), 2 * StealBackoff::kFirstPause);
}

// A worker that resumes a frame, or has run its own, has stolen nothing.
TEST(StealBackoff, OnlyStealsCount) {
  StealBackoff backoff;
  steal_short_ones(backoff, StealBackoff::kMostInARow - 1);
  for (std::uint64_t now = 1'000'000; now < 1'000'100; ++now) backoff.path_ends(now);
  EXPECT_EQ(backoff.pause(), nanoseconds{0});
}

}  // namespace
