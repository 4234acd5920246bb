// When a thief rests: after so many short paths in a row, longer each time, and not once a path was worth its theft.
#include "worker/steal_backoff.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using nopal::Thrift;
using std::chrono::nanoseconds;

void steal(Thrift &thrift, std::uint64_t ns) {
  static std::uint64_t now = 1;
  thrift.path_begins(now);
  thrift.path_ends(now += ns);
}

void steal_short_ones(Thrift &thrift, int times) {
  for (; times > 0; --times) steal(thrift, Thrift::kShortNs - 1);
}

/// As one that has not stolen yet: not before so many short paths, and then for the first time.
void expect_rest_behind_the_last(Thrift &thrift) {
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, Thrift::kMostInARow - 1);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, 1);
  EXPECT_EQ(thrift.pause(), Thrift::kFirstPause);
}

TEST(Thrift, RestsBehindShortPathsInARow) {
  Thrift thrift;
  expect_rest_behind_the_last(thrift);
}

TEST(Thrift, RestsLongerEachTime) {
  Thrift thrift;
  steal_short_ones(thrift, Thrift::kMostInARow);
  for (nanoseconds expected = Thrift::kFirstPause; expected < Thrift::kLongestPause; expected *= 2) {
    EXPECT_EQ(thrift.pause(), expected);
    steal_short_ones(thrift, 1);
  }
  EXPECT_EQ(thrift.pause(), Thrift::kLongestPause);
  steal_short_ones(thrift, 100);
  EXPECT_EQ(thrift.pause(), Thrift::kLongestPause);
}

TEST(Thrift, OneLongPathIsEnough) {
  Thrift thrift;
  steal_short_ones(thrift, Thrift::kMostInARow + 3);
  steal(thrift, Thrift::kShortNs);
  expect_rest_behind_the_last(thrift);
}

// As when a program makes a short loop now and then: that a thief comes costs nobody, and the next loop is not to wait.
TEST(Thrift, SeldomTheftsDoNotCount) {
  Thrift thrift;
  std::uint64_t now = 1;
  const auto steal_after = [&](std::uint64_t ns) {
    thrift.path_begins(now += ns);
    thrift.path_ends(now += 1);
  };
  for (int times = 0; times < 100; ++times) steal_after(Thrift::kSeldomNs + 1);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  for (int times = 1; times < Thrift::kMostInARow; ++times) steal_after(Thrift::kSeldomNs);  // the last one before was the first
  EXPECT_EQ(thrift.pause(), Thrift::kFirstPause);
  // Its own rest makes none seldom.
  now += 100 * Thrift::kSeldomNs;
  thrift.rest_ends(now);
  steal_after(10);
  EXPECT_EQ(thrift.pause(), 2 * Thrift::kFirstPause);
}

// A worker that resumes a frame, or has run its own, has stolen nothing.
TEST(Thrift, OnlyTheftsCount) {
  Thrift thrift;
  steal_short_ones(thrift, Thrift::kMostInARow - 1);
  for (std::uint64_t now = 1'000'000; now < 1'000'100; ++now) thrift.path_ends(now);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
}

}  // namespace
