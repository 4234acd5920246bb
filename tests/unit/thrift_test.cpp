// When a thief rests: after so many short paths in a row, longer each time, and not once a path was worth its theft.
#include "policy/thrift.h"

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

TEST(Thrift, RestsBehindShortPathsInARow) {
  Thrift thrift;
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, Thrift::kMostInARow - 1);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, 1);
  EXPECT_EQ(thrift.pause(), Thrift::kFirstPause);
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
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, Thrift::kMostInARow - 1);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
  steal_short_ones(thrift, 1);
  EXPECT_EQ(thrift.pause(), Thrift::kFirstPause);
}

// A worker that resumes a frame, or has run its own, has stolen nothing.
TEST(Thrift, OnlyTheftsCount) {
  Thrift thrift;
  steal_short_ones(thrift, Thrift::kMostInARow - 1);
  for (std::uint64_t now = 1'000'000; now < 1'000'100; ++now) thrift.path_ends(now);
  EXPECT_EQ(thrift.pause(), nanoseconds{0});
}

} // namespace
