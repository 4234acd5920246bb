// runtime/src/stats/busy and site_times: periods add up, by closed form and with many threads; and
// worker/stolen_sites.
#include "stats/busy.h"
#include "stats/site_times.h"
#include "worker/stolen_sites.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using nopal::stats::Busy;
using nopal::stats::SiteTime;
using nopal::stats::SiteTimes;

constexpr std::uint64_t kUs = 1'600;  // a multiple of the unit

TEST(BusyTest, PeriodsOfNoneAndOne) {
  Busy busy;
  EXPECT_EQ(busy.begins(10 * kUs), 0u);
  EXPECT_TRUE(busy.is_alone());
  EXPECT_EQ(busy.begins(30 * kUs), 20 * kUs) << "one was alone until the second came";
  EXPECT_FALSE(busy.is_alone());
  EXPECT_EQ(busy.goes_on(35 * kUs), 0u);
  EXPECT_EQ(busy.ends(40 * kUs), 0u);
  EXPECT_EQ(busy.goes_on(45 * kUs), 5 * kUs);
  EXPECT_EQ(busy.ends(60 * kUs), 15 * kUs);
  EXPECT_EQ(busy.begins(100 * kUs), 0u);
  const Busy::Periods periods = busy.read(107 * kUs);
  EXPECT_EQ(periods.none_ns, 40 * kUs);
  EXPECT_EQ(periods.alone_ns, (20 + 20 + 7) * kUs);
  EXPECT_EQ(periods.last_ns, 7 * kUs);
  EXPECT_EQ(periods.working, 1u);
}

TEST(BusyTest, NothingBeforeTheFirst) {
  const Busy busy;
  EXPECT_EQ(busy.read(1000 * kUs).none_ns, 0u);
}

TEST(BusyTest, EarlierReadingOfTheClockDoesNotCount) {
  Busy busy;
  busy.begins(100 * kUs);
  EXPECT_EQ(busy.begins(90 * kUs), 0u) << "another thread has read its clock earlier";
  EXPECT_EQ(busy.ends(110 * kUs), 0u);
  EXPECT_EQ(busy.ends(120 * kUs), 10 * kUs);
}

TEST(BusyTest, PeriodsOfManyThreadsAddUp) {
  Busy busy;
  std::atomic<std::uint64_t> clock{kUs};
  std::atomic<std::uint64_t> told{0};
  const auto now = [&] { return clock.fetch_add(16, std::memory_order_relaxed); };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20'000; ++round) {
        told.fetch_add(busy.begins(now()), std::memory_order_relaxed);
        told.fetch_add(busy.goes_on(now()), std::memory_order_relaxed);
        told.fetch_add(busy.ends(now()), std::memory_order_relaxed);
      }
    });
  for (std::thread &thread : threads) thread.join();
  const Busy::Periods periods = busy.read(clock.load(std::memory_order_relaxed));
  EXPECT_EQ(periods.working, 0u);
  EXPECT_EQ(periods.alone_ns, told.load(std::memory_order_relaxed)) << "each period is told once";
  EXPECT_LE(periods.alone_ns + periods.none_ns, clock.load(std::memory_order_relaxed));
}

TEST(SiteTimesTest, ManySitesStayApart) {
  static SiteTimes times;
  std::vector<nopal_site> sites(1000);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    times.add(&sites[i], SiteTime::kStolen, i);
    times.add(&sites[i], SiteTime::kStolen, 1);
    times.add_alone_strand(&sites[i], SiteTime::kAloneChild, 5);
    times.add_alone_strand(&sites[i], SiteTime::kAloneContinuation, 3);
  }
  times.add(nullptr, SiteTime::kAloneBefore, 7);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    ASSERT_EQ(times.read(&sites[i], SiteTime::kStolen), i + 1);
    ASSERT_EQ(times.read(&sites[i], SiteTime::kAloneLongest), 5u);
    ASSERT_EQ(times.alone_ns(&sites[i]), 8u);
  }
  EXPECT_EQ(times.alone_ns(nullptr), 7u);
  const nopal_site unknown{};
  EXPECT_EQ(times.read(&unknown, SiteTime::kStolen), 0u);
}

TEST(StolenSitesTest, LastNoteOfAFrame) {
  nopal::StolenSites sites;
  const nopal_frame frames[2]{};
  const nopal_site first{};
  const nopal_site second{};
  EXPECT_EQ(sites.find(&frames[0]), nullptr);
  sites.note(&frames[0], &first);
  EXPECT_EQ(sites.find(&frames[0]), &first);
  sites.note(&frames[0], &second);
  EXPECT_EQ(sites.find(&frames[0]), &second);
  EXPECT_EQ(sites.find(&frames[1]), nullptr);
}

}  // namespace
