// runtime/src/stats/estimate, hunger and strand: the longest path from made-up strands, the time of
// hunger from made-up samples, and the intervals from both.
#include "stats/estimate.h"
#include "stats/hunger.h"
#include "stats/strand.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

namespace {

namespace stats = nopal::stats;
using stats::Hunger;
using stats::JoinedPaths;
using stats::kUnknownLength;
using stats::Snapshot;
using stats::Strand;

constexpr std::uint64_t kMs = 1'000'000;

void run_for(std::uint64_t ns) {
  for (const std::uint64_t end = nopal::thread_cpu_ns() + ns; nopal::thread_cpu_ns() < end;) {
  }
}

TEST(StrandTest, PathGrowsByTheProcessorTime) {
  Strand strand;
  strand.begin(100 * kMs, gettid());
  run_for(kMs);
  const std::uint64_t now = strand.begun().length_now();
  const std::uint64_t ran = strand.end();
  const std::uint64_t end = strand.length_ns();
  EXPECT_GE(now, 101 * kMs);
  EXPECT_GE(end, now);
  EXPECT_EQ(strand.longest_ns(), end);
  EXPECT_EQ(end, 100 * kMs + ran);
  EXPECT_EQ(strand.work_ns(), ran);
  EXPECT_EQ(strand.end(), 0u) << "it has ended";
  strand.begin(7, gettid());
  strand.end();
  EXPECT_GE(strand.longest_ns(), end) << "a shorter path changes nothing";
}

TEST(StrandTest, WhatFollowsAnUnknownPathIsNotKnown) {
  Strand strand;
  strand.begin(strand.taken(), gettid());
  run_for(kMs);
  EXPECT_EQ(strand.begun().length_now(), kUnknownLength);
  strand.end();
  EXPECT_EQ(strand.length_ns(), kUnknownLength);
  EXPECT_EQ(strand.longest_ns(), kUnknownLength);
  EXPECT_GE(strand.work_ns(), kMs) << "the work is";
}

TEST(StrandTest, WaitsOfItsOwnAccordAreToldFromThoseOfTheRuntime) {
  Strand strand;
  strand.begin(0, gettid());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  strand.end();
  const std::uint64_t blocked = strand.blocked_ns();
  EXPECT_GE(blocked, 4 * kMs);
  EXPECT_LT(strand.work_ns(), 4 * kMs);
  strand.begin(0, gettid());
  strand.pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  strand.go_on(gettid());
  strand.end();
  EXPECT_EQ(strand.blocked_ns(), blocked);
}

TEST(JoinedPathsTest, LongestOfThoseWhoJoin) {
  static JoinedPaths paths;
  std::vector<nopal_frame> frames(500);
  for (std::uint64_t i = 0; i < frames.size(); ++i) {
    paths.raise(&frames[i], i + 10);
    paths.raise(&frames[i], i + 30);
    paths.raise(&frames[i], i + 20);
  }
  for (std::uint64_t i = 0; i < frames.size(); ++i) ASSERT_EQ(paths.take(&frames[i]), i + 30);
  EXPECT_EQ(paths.take(&frames[0]), 0u) << "a frame that is joined begins anew";
}

TEST(JoinedPathsTest, ManyThreadsJoin) {
  static JoinedPaths paths;
  nopal_frame frame{};
  std::vector<std::thread> threads;
  for (std::uint64_t i = 1; i <= 8; ++i)
    threads.emplace_back([i, &frame] {
      for (std::uint64_t k = 0; k < 10'000; ++k) paths.raise(&frame, k * i);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(paths.take(&frame), 8u * 9'999);
}

TEST(JoinedPathsTest, WhatDoesNotFitMakesAllUnknown) {
  static JoinedPaths paths;
  std::vector<nopal_frame> frames(JoinedPaths::kCapacity + 1);
  for (nopal_frame &frame : frames) paths.raise(&frame, 1);
  EXPECT_EQ(paths.take(&frames[0]), kUnknownLength);
}

/// Two workers may work. Every 2 ms; `working` at each look.
void look(Hunger &hunger, const std::vector<unsigned> &working) {
  std::uint64_t now = kMs;
  std::uint64_t work = 0;
  hunger.look({.now_ns = now});
  for (const unsigned count : working) {
    now += 2 * kMs;
    work += count * 2 * kMs;
    hunger.look({.now_ns = now, .work_ns = work, .working = count, .is_hungry = count < 2});
  }
}

TEST(HungerTest, LongPeriodHasLittleError) {
  Hunger hunger;
  std::vector<unsigned> working(100, 2);
  working.insert(working.end(), 50, 1);
  look(hunger, working);
  EXPECT_EQ(hunger.sum_ns(), 100 * kMs);
  EXPECT_NEAR(static_cast<double>(hunger.error_ns()), 2e6 / std::sqrt(2), 1e3)
      << "the change is somewhere between two looks";
}

TEST(HungerTest, PeriodsShorterThanBetweenLooksHaveMuch) {
  Hunger hunger;
  std::vector<unsigned> working;
  for (int i = 0; i < 100; ++i) working.insert(working.end(), {1, 2});
  look(hunger, working);
  EXPECT_EQ(hunger.sum_ns(), 200 * kMs);
  EXPECT_NEAR(static_cast<double>(hunger.error_ns()), 2e6 * std::sqrt(100), 1e5);
}

TEST(HungerTest, StrandsShareTheProcessors) {
  Hunger hunger;
  hunger.look({.now_ns = kMs});
  hunger.look({.now_ns = 11 * kMs, .work_ns = 20 * kMs, .working = 5, .is_hungry = true});
  EXPECT_EQ(hunger.sum_ns(), 4 * kMs) << "five strands on two processors";
  hunger.look({.now_ns = 21 * kMs, .work_ns = 40 * kMs, .working = 0, .is_hungry = true});
  EXPECT_EQ(hunger.sum_ns(), 4 * kMs) << "nobody works: the program waits for something else";
}

Snapshot measured(std::uint64_t work, std::uint64_t path, std::uint64_t hungry) {
  Snapshot snapshot;
  snapshot.nworkers = 4;
  snapshot.elapsed_ns = 1000 * kMs;
  snapshot.summary.strands_ns = work * kMs;
  snapshot.summary.longest_path_ns = path * kMs;
  snapshot.summary.hungry_ns = hungry * kMs;
  return snapshot;
}

TEST(EstimateTest, IntervalsAndTheirMargin) {
  const stats::Estimate found = stats::estimate(measured(4000, 1000, 500));
  EXPECT_DOUBLE_EQ(found.work_ns.least, 3800e6);
  EXPECT_DOUBLE_EQ(found.work_ns.most, 4200e6);
  EXPECT_DOUBLE_EQ(found.span_ns.least, 475e6);
  EXPECT_DOUBLE_EQ(found.span_ns.most, 1050e6);
  EXPECT_DOUBLE_EQ(found.parallelism.least, 3800.0 / 1050);
  EXPECT_DOUBLE_EQ(found.parallelism.most, 4200.0 / 475);
}

TEST(EstimateTest, WhatIsNotKnownIsNotSaid) {
  EXPECT_EQ(stats::estimate(measured(4000, 0, 500)).span_ns.most, 0) << "the path is not known";
  EXPECT_EQ(stats::estimate(measured(4000, 1000, 0)).parallelism.most, 0) << "no hunger, no bound";
  Snapshot alone = measured(1000, 1000, 0);
  alone.nworkers = 1;
  EXPECT_EQ(stats::estimate(alone).parallelism.least, 0);
  EXPECT_GT(stats::estimate(alone).work_ns.least, 0);
}

TEST(EstimateTest, DoubtWidensTheInterval) {
  const stats::Estimate plain = stats::estimate(measured(4000, 1000, 500));
  Snapshot snapshot = measured(4000, 1000, 500);
  snapshot.summary.hungry_error_ns = 50 * kMs;
  EXPECT_DOUBLE_EQ(stats::estimate(snapshot).span_ns.least, 0.95 * 400e6) << "two errors";
  snapshot = measured(4000, 1000, 500);
  snapshot.total.steals = 20'000;
  EXPECT_DOUBLE_EQ(stats::estimate(snapshot).span_ns.least, 0.95 * 400e6) << "switches";
  snapshot = measured(4000, 1000, 500);
  snapshot.summary.blocked_ns = 100 * kMs;
  EXPECT_GT(stats::estimate(snapshot).work_ns.most, plain.work_ns.most);
  EXPECT_GT(stats::estimate(snapshot).span_ns.most, plain.span_ns.most);
  EXPECT_EQ(stats::estimate(snapshot).work_ns.least, plain.work_ns.least);
  snapshot = measured(4000, 1000, 500);
  snapshot.summary.spawn_samples = 100;
  snapshot.summary.spawn_interval_ns = 8;
  EXPECT_DOUBLE_EQ(stats::estimate(snapshot).work_ns.least, plain.work_ns.least / 2)
      << "half of it may be spawns";
  EXPECT_EQ(stats::estimate(snapshot).work_ns.most, plain.work_ns.most);
}

TEST(EstimateTest, SerialStartCountsOnBothSides) {
  Snapshot snapshot = measured(1000, 1000, 0);
  snapshot.summary.before_start_ns = 1000 * kMs;
  const stats::Estimate found = stats::estimate(snapshot);
  EXPECT_DOUBLE_EQ(found.work_ns.most, 2100e6);
  EXPECT_DOUBLE_EQ(found.span_ns.least, 950e6);
  EXPECT_DOUBLE_EQ(found.parallelism.most, 2100.0 / 950);
}

}  // namespace
