// runtime/src/stats/verdict: each cause from made-up numbers, and numbers that have no cause.
#include "stats/verdict.h"
#include "stats/print.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace stats = nopal::stats;
using stats::SiteTime;
using stats::Snapshot;

constexpr std::uint64_t kMs = 1'000'000;

/// Four workers on four processors that have worked all the time, and two sites.
Snapshot busy_run() {
  Snapshot snapshot;
  snapshot.nworkers = 4;
  snapshot.elapsed_ns = 1000 * kMs;
  snapshot.total.working_ns = 4000 * kMs;
  snapshot.total.working_cpu_ns = 3990 * kMs;
  snapshot.summary.processors = 4;
  snapshot.summary.spawn_samples = 100;
  snapshot.summary.spawn_interval_ns = 3000;
  snapshot.sites = {{"f(int)", "a.cpp", 10, 3, 0, 40}, {"g(int)", "a.cpp", 20, 5, 0, 2}};
  snapshot.site_times.resize(2);
  return snapshot;
}

void set(Snapshot &snapshot, std::size_t site, SiteTime time, std::uint64_t ns) {
  snapshot.site_times[site][static_cast<std::size_t>(time)] = ns;
}

/// One worker alone for `ns`, in `time` of site 1.
Snapshot alone_run(SiteTime time, std::uint64_t ns, std::uint64_t longest_ns) {
  Snapshot snapshot = busy_run();
  snapshot.total.working_ns -= 3 * ns;
  snapshot.total.working_cpu_ns -= 3 * ns;
  snapshot.summary.one_working_ns = snapshot.summary.alone_ns = ns;
  set(snapshot, 1, time, ns);
  set(snapshot, 1, SiteTime::kAloneLongest, longest_ns);
  return snapshot;
}

TEST(VerdictTest, NothingStandsOut) {
  const stats::Verdict verdict = stats::judge(busy_run());
  EXPECT_STREQ(verdict.cause->name, "none");
  EXPECT_EQ(verdict.site, nullptr);
  EXPECT_EQ(
      verdict.sentence,
      "4 workers, 1000.000 ms: busy 100 % of it; one alone for 0.000 ms (0 %): nothing stands out");
}

TEST(VerdictTest, ShortRunIsNotJudged) {
  Snapshot snapshot = busy_run();
  snapshot.elapsed_ns = 5 * kMs;
  snapshot.total.working_ns = 5 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "too_short");
}

TEST(VerdictTest, LongStrand) {
  const Snapshot snapshot = alone_run(SiteTime::kAloneChild, 400 * kMs, 390 * kMs);
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "long_strand");
  EXPECT_EQ(verdict.site, &snapshot.sites[1]);
  EXPECT_EQ(verdict.lost_percent, 30u) << "three of four processors for 0.4 of the time";
  EXPECT_EQ(verdict.advice,
            "one strand of 390.000 ms (39 %) below the spawn at a.cpp:20:5 in g(int); divide its "
            "work into spawns, or start it first");
}

TEST(VerdictTest, ManyStrandsAloneAreTooLittleParallelism) {
  const Snapshot snapshot = alone_run(SiteTime::kAloneContinuation, 400 * kMs, 10 * kMs);
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "too_little_parallelism");
  EXPECT_EQ(verdict.site, &snapshot.sites[1]);
}

TEST(VerdictTest, SerialPart) {
  const Snapshot snapshot = alone_run(SiteTime::kAloneBefore, 400 * kMs, 0);
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_part");
}

TEST(VerdictTest, WaitsForThievesAreNoSerialPart) {
  Snapshot snapshot = alone_run(SiteTime::kAloneBefore, 400 * kMs, 0);
  snapshot.sites[1].steals = 100'000;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "too_little_parallelism");
}

TEST(VerdictTest, SerialEnd) {
  Snapshot snapshot = alone_run(SiteTime::kAloneBefore, 0, 0);
  snapshot.total.working_ns -= 3 * 300 * kMs;
  snapshot.summary.one_working_ns = snapshot.summary.alone_ns = 300 * kMs;
  snapshot.summary.after_last_join_ns = 300 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_end");
}

TEST(VerdictTest, LoneWorkerThatSpawnsRunsNoSerialCode) {
  Snapshot snapshot = alone_run(SiteTime::kAloneBefore, 400 * kMs, 0);
  snapshot.summary.lone_looks = 80;
  snapshot.summary.lone_looks_at_spawns = 8;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_part");
  snapshot.summary.lone_looks_at_spawns = 72;
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "too_fine");
  EXPECT_EQ(verdict.lost_percent, 27u) << "nine tenths of 30 %";
  snapshot.summary.lone_looks = snapshot.summary.lone_looks_at_spawns = 3;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_part") << "too few looks";
}

TEST(VerdictTest, ProcessorsIdleBecauseOfSpawnsTooFine) {
  Snapshot snapshot = alone_run(SiteTime::kAloneBefore, 400 * kMs, 0);
  snapshot.summary.spawn_interval_ns = 12;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_part") << "without looks";
  snapshot.summary.lone_looks = snapshot.summary.lone_looks_at_spawns = 80;
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "too_fine");
  EXPECT_EQ(verdict.lost_percent, 53u) << "a third of the work, and 30 % of the processors";
}

TEST(VerdictTest, SerialStartBeforeTheRuntimeCounts) {
  Snapshot snapshot = busy_run();
  snapshot.summary.before_start_ns = 500 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "serial_start");
}

TEST(VerdictTest, TwoOfFourAreTooLittle) {
  Snapshot snapshot = busy_run();
  snapshot.total.working_ns = snapshot.total.working_cpu_ns = 2000 * kMs;
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "too_little_parallelism");
  EXPECT_EQ(verdict.lost_percent, 50u);
}

TEST(VerdictTest, ParallelismIsSaidAsFarAsItIsKnown) {
  Snapshot snapshot = busy_run();
  EXPECT_EQ(stats::judge(snapshot).estimate.parallelism.least, 0) << "nothing was measured";
  snapshot.summary.strands_ns = 4000 * kMs;
  snapshot.summary.longest_path_ns = 1000 * kMs;
  EXPECT_NE(stats::judge(snapshot).sentence.find("; parallelism 3.6 or more: "), std::string::npos);
  snapshot.summary.hungry_ns = 500 * kMs;
  EXPECT_NE(stats::judge(snapshot).sentence.find("; parallelism 3.6 to 8.9: "), std::string::npos);
}

TEST(VerdictTest, TooFineNeedsSamples) {
  Snapshot snapshot = busy_run();
  snapshot.summary.spawn_interval_ns = 12;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "too_fine");
  snapshot.summary.spawn_samples = 3;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "none");
}

TEST(VerdictTest, BlockedIsNeitherRunningNorWaiting) {
  Snapshot snapshot = busy_run();
  snapshot.total.working_cpu_ns = 1000 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "blocked");
  snapshot.summary.working_wait_ns = 2900 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "busy_machine");
}

TEST(VerdictTest, WithoutProcessorTimesNobodyIsBlocked) {
  Snapshot snapshot = busy_run();
  snapshot.total.working_cpu_ns = 0;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "none");
}

TEST(VerdictTest, MoreWorkersThanProcessors) {
  Snapshot snapshot = busy_run();
  snapshot.summary.processors = 1;
  snapshot.total.working_cpu_ns = 990 * kMs;
  snapshot.summary.working_wait_ns = 3000 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "oversubscribed");
}

TEST(VerdictTest, LoadedMachineRaisesWhatAFaultMustCost) {
  Snapshot snapshot = alone_run(SiteTime::kAloneChild, 200 * kMs, 200 * kMs);
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "long_strand");
  snapshot.summary.working_wait_ns = 300 * kMs;
  snapshot.total.working_cpu_ns -= 300 * kMs;
  EXPECT_STREQ(stats::judge(snapshot).cause->name, "none");
}

TEST(VerdictTest, OneWorkerIsSaid) {
  Snapshot snapshot = busy_run();
  snapshot.nworkers = 1;
  snapshot.total.working_ns = snapshot.total.working_cpu_ns = 1000 * kMs;
  const stats::Verdict verdict = stats::judge(snapshot);
  EXPECT_STREQ(verdict.cause->name, "one_worker");
  EXPECT_EQ(verdict.sentence, "1 worker, 1000.000 ms: one worker");
}

TEST(VerdictTest, DocumentationHasEachCause) {
  std::ifstream in(std::filesystem::path(NOPAL_SOURCE_FOLDER) / "docs/statistics.md");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const stats::Cause &cause : stats::kCauses) {
    const std::string row = std::string("| `") + cause.name + "` | " + cause.words + " |";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

TEST(NamesTest, LongTemplatesAreShortened) {
  EXPECT_EQ(stats::short_name("fib(long)"), "fib(long)");
  EXPECT_EQ(stats::short_name("void sort<std::vector<int, std::allocator<int>>, std::less<int>>(A, "
                              "B)"),
            "void sort<...>(A, B)");
  EXPECT_EQ(stats::short_name("main::{lambda()#1}::operator()(std::pair<int, int>, another_type "
                              "const&, and_one_more) const"),
            "main::{lambda()#1}::operator()(...) const");
  EXPECT_EQ(stats::short_name(std::string(100, 'x')), "..." + std::string(57, 'x'));
  EXPECT_EQ(
      stats::short_name("bool operator<<char, std::char_traits<char>, std::allocator<char>>(a, "
                        "b)")
          .substr(0, 14),
      "bool operator<");
}

}  // namespace
