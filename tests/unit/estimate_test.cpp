// runtime/src/stats/estimate, hunger and strand: the longest path from made-up strands, the
// progress of hungry times from made-up samples, and the intervals from both.
#include "stats/estimate.h"
#include "stats/hunger.h"
#include "stats/strand.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
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
  // A page that must be read from a disk is a wait, too, and an emulator works where code is new:
  // one round of several without is enough.
  bool is_no_work = false, is_told = false;
  for (int round = 0; round < 10 && !(is_no_work && is_told); ++round) {
    const std::uint64_t blocked = strand.blocked_ns(), work = strand.work_ns();
    strand.begin(0, gettid());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    strand.end();
    const std::uint64_t blocked_then = strand.blocked_ns();
    EXPECT_GE(blocked_then, blocked + 4 * kMs);
    is_no_work = is_no_work || strand.work_ns() < work + 4 * kMs;
    strand.begin(0, gettid());
    strand.pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    strand.go_on(gettid());
    strand.end();
    is_told = is_told || strand.blocked_ns() == blocked_then;
  }
  EXPECT_TRUE(is_no_work);
  EXPECT_TRUE(is_told);
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

/// Looks at made-up workers, each of which works all the time or not at all.
class Looks {
 public:
  struct Worker {
    std::uint64_t ran_ns;  // on a processor since the last look
    std::uint64_t strand;  // 0: it does not work
  };
  void look(std::uint64_t ns, bool is_hungry, const std::vector<Worker> &workers) {
    now_ns_ += ns;
    runs_.resize(std::max(runs_.size(), workers.size()));
    for (std::size_t i = 0; i < workers.size(); ++i) {
      runs_[i].work_ns += workers[i].ran_ns;
      if (workers[i].ran_ns != 0 || workers[i].strand != 0) runs_[i].working_ns += ns;
      runs_[i].strand = workers[i].strand;
    }
    Hunger::Look found{.now_ns = now_ns_, .is_hungry = is_hungry, .workers = runs_};
    hunger_.look(found);
  }
  std::uint64_t sum_ns() const { return sum_.ns.read(); }
  double error_ns() const { return static_cast<double>(sum_.error_ns.read()); }

 private:
  std::uint64_t now_ns_ = kMs;
  stats::HungerSum sum_;
  Hunger hunger_{sum_};
  std::vector<Hunger::Runs> runs_;
};

TEST(HungerTest, LongPeriodHasLittleError) {
  Looks looks;
  for (int i = 0; i < 100; ++i) looks.look(2 * kMs, false, {{2 * kMs, 1}, {2 * kMs, 1}});
  for (int i = 0; i < 50; ++i) looks.look(2 * kMs, true, {{2 * kMs, 1}, {0, 0}});
  looks.look(2 * kMs, false, {{2 * kMs, 1}, {2 * kMs, 2}});
  EXPECT_EQ(looks.sum_ns(), 100 * kMs);
  EXPECT_NEAR(looks.error_ns(), 2e6 / std::sqrt(2), 1e3)
      << "the change is somewhere between two looks";
}

TEST(HungerTest, PeriodsShorterThanBetweenLooksHaveMuch) {
  Looks looks;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    looks.look(2 * kMs, true, {{2 * kMs, i}, {0, 0}});
    looks.look(2 * kMs, false, {{2 * kMs, i}, {2 * kMs, i}});
  }
  EXPECT_EQ(looks.sum_ns(), 200 * kMs);
  EXPECT_NEAR(looks.error_ns(), 2e6 * std::sqrt(100), 2e5);
}

TEST(HungerTest, SlowestStrandSaysHowFarAllHaveCome) {
  Looks looks;
  looks.look(2 * kMs, true, {{0, 1}, {0, 1}, {0, 1}});
  looks.look(8 * kMs, true, {{8 * kMs, 1}, {6 * kMs, 1}, {2 * kMs, 1}});
  EXPECT_EQ(looks.sum_ns(), 2 * kMs) << "three strands on two processors";
  looks.look(8 * kMs, true, {{2 * kMs, 1}, {6 * kMs, 1}, {8 * kMs, 1}});
  EXPECT_EQ(looks.sum_ns(), 10 * kMs) << "in turn, while all three run";
  looks.look(8 * kMs, true, {{0, 0}, {6 * kMs, 1}, {8 * kMs, 1}});
  EXPECT_EQ(looks.sum_ns(), 15 * kMs) << "one has ended, and was the slowest";
  looks.look(8 * kMs, true, {{0, 0}, {8 * kMs, 1}, {7 * kMs, 1}});
  EXPECT_EQ(looks.sum_ns(), 22 * kMs);
}

TEST(HungerTest, StrandThatWaitsHoldsUpAll) {
  Looks looks;
  looks.look(2 * kMs, true, {{0, 1}, {0, 1}, {0, 0}});
  looks.look(8 * kMs, true, {{8 * kMs, 1}, {0, 1}, {0, 0}});
  EXPECT_EQ(looks.sum_ns(), 0u) << "the longest path may wait";
  looks.look(8 * kMs, true, {{0, 0}, {0, 0}, {0, 0}});
  looks.look(8 * kMs, true, {{0, 0}, {0, 0}, {0, 0}});
  EXPECT_EQ(looks.sum_ns(), 0u) << "nobody works: the program waits for something else";
}

TEST(HungerTest, WindowEndsWhereAStrandBegins) {
  Looks looks;
  looks.look(2 * kMs, true, {{0, 1}, {0, 1}});
  looks.look(8 * kMs, true, {{8 * kMs, 1}, {2 * kMs, 2}});
  looks.look(8 * kMs, true, {{2 * kMs, 1}, {8 * kMs, 2}});
  EXPECT_EQ(looks.sum_ns(), 4 * kMs) << "the path may have been on the slower one each time";
  looks.look(8 * kMs, true, {{8 * kMs, 1}, {8 * kMs, 2}, {1 * kMs, 1}});
  looks.look(8 * kMs, true, {{8 * kMs, 1}, {8 * kMs, 2}, {4 * kMs, 1}});
  EXPECT_EQ(looks.sum_ns(), 16 * kMs) << "and so may one of a worker that has come";
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
  EXPECT_DOUBLE_EQ(stats::estimate(snapshot).span_ns.least, 0.95 * 400e6) << "no work was done";
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
