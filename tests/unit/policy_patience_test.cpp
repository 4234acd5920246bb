// How long a worker searches after which idle times.
#include "policy/patience.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace {

using nopal::policy::Patience;

constexpr Patience::Searches kSearches{.long_ns = 1'000, .short_ns = 100};

/// Of the next search, after these idle times.
std::uint64_t search_after(std::initializer_list<std::uint64_t> idle_times) {
  Patience patience;
  for (const std::uint64_t idle : idle_times) patience.found_work(kSearches, idle);
  return patience.search_ns(kSearches, 0);
}

TEST(PatienceTest, TwoLongIdleTimesInARowMakeSearchesShort) {
  EXPECT_EQ(search_after({}), 1'000u);
  EXPECT_EQ(search_after({1'001}), 1'000u);
  EXPECT_EQ(search_after({1'001, 1'001}), 100u);
  EXPECT_EQ(search_after({5'000, 5'000, 5'000, 5'000}), 100u);
}

TEST(PatienceTest, AnIdleTimeThatALongSearchEndsMakesThemLong) {
  EXPECT_EQ(search_after({5'000, 1'000, 5'000}), 1'000u);
  EXPECT_EQ(search_after({5'000, 5'000, 5'000, 101}), 1'000u);
  EXPECT_EQ(search_after({5'000, 5'000, 101, 5'000}), 1'000u);
}

TEST(PatienceTest, AnIdleTimeThatEachSearchEndsSaysNothing) {
  EXPECT_EQ(search_after({5'000, 100, 5'000}), 100u);
  EXPECT_EQ(search_after({5'000, 5'000, 100, 1}), 100u);
}

TEST(PatienceTest, WhoIsWokenAfterALongIdleTimeSearchesForAShortOne) {
  const Patience patience;
  EXPECT_EQ(patience.search_ns(kSearches, 1'000), 1'000u);
  EXPECT_EQ(patience.search_ns(kSearches, 1'001), 100u);
}

}  // namespace
