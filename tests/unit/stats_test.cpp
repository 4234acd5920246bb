// runtime/src/stats: counters, totals, the table, the JSON form (parsed by a strict parser,
// python3's), the report at exit, and <cilk/statistics.h>. A made-up source replaces the scheduler.
#include "platform/json_string.h"
#include "stats/print.h"
#include "stats/source.h"

#include <cilk/statistics.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;
namespace stats = nopal::stats;
using nopal::json_string;
using stats::Activity;
using stats::Snapshot;

nopal_site site(const char *function, const char *file, std::uint32_t line, std::uint64_t steals,
                std::uint32_t index = 0) {
  static std::deque<std::uint64_t> counters;  // of all sites; none moves
  nopal_site result{};
  result.function = function;
  result.file = file;
  result.line = line;
  result.column = line == 0 ? 0 : 3;
  result.index = index;
  result.steals = &counters.emplace_back(steals);
  return result;
}

/// Two workers and the sites of two modules, which share one.
class FakeSource final : public stats::Source {
 public:
  FakeSource() {
    counters_[0].steals.add(5);
    counters_[0].steals_from[1].add(4);
    counters_[0].attempts.add(9);
    counters_[0].failed_empty.add(3);
    counters_[0].failed_lost_race.add();
    counters_[0].deque_depth_peak.raise_to(17);
    counters_[0].deque_depth_peak.raise_to(12);
    counters_[1].steals.add(7);
    counters_[1].steals_from[0].add(7);
    counters_[1].suspends.add(2);
    counters_[1].resumes.add(2);
    counters_[1].deque_depth_peak.raise_to(4);
    counters_[1].parks.add(6);
    counters_[0].enter(Activity::kWorking, 1'000);
    counters_[0].enter(Activity::kStealing, 3'501'000);
    counters_[0].enter(Activity::kIdle, 4'000'000);
  }
  void visit_workers(stats::WorkerVisitor &visitor) const override {
    visitor.worker(0, stats::WorkerKind::kAttached, counters_[0], stacks_);
    visitor.worker(1, stats::WorkerKind::kHelper, counters_[1], stacks_);
  }
  std::uint64_t charge_caller(std::uint64_t, std::uint64_t) const override { return 0; }
  void visit_sites(stats::SiteVisitor &visitor) const override {
    for (const nopal_site &each : sites_) visitor.site(each);
  }

 private:
  stats::WorkerCounters counters_[2];
  cactus::Account stacks_;
  nopal_site sites_[5] = {
      site("_Z3fibl", "fib.cpp", 7, 2), site("plain_c", "a \"quoted\"\\path\n.c", 1, 0),
      site("_Z4sortIiEvPT_S1_", "sort.h", 40, 4), site("_Z4sortIiEvPT_S1_", "sort.h", 40, 5),
      site("i", "\xff\xc3\xa9.c", 2, 0)};
};

const FakeSource &source() {
  static const FakeSource source;
  return source;
}

/// Runs a python3 program on the JSON text; its exit status is the verdict.
int check_with_python(const std::string &json, const std::string &program) {
  std::string name = (fs::temp_directory_path() / "nopal-stats-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return -1;
  close(file);
  std::ofstream(name, std::ios::binary) << json;
  std::ofstream(name + ".py") << "import json, sys\nd = json.loads(open(sys.argv[1], "
                                 "encoding='utf-8', errors='strict').read())\n"
                              << program << "\n";
  const int status = std::system(("python3 " + name + ".py " + name).c_str());
  fs::remove(name);
  fs::remove(name + ".py");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CountersTest, TimeIsChargedToTheActivityThatEnds) {
  stats::WorkerCounters counters;
  counters.enter(Activity::kWorking, 100);
  EXPECT_EQ(counters.time_ns(Activity::kWorking, 150), 50u) << "the running activity counts";
  counters.enter(Activity::kStealing, 160);
  counters.enter(Activity::kWorking, 200);
  counters.enter(Activity::kParked, 210);
  EXPECT_EQ(counters.time_ns(Activity::kWorking, 1000), 70u);
  EXPECT_EQ(counters.time_ns(Activity::kStealing, 1000), 40u);
  EXPECT_EQ(counters.time_ns(Activity::kParked, 1000), 790u);
  EXPECT_EQ(counters.time_ns(Activity::kParked, 0), 0u) << "a clock read before the activity began";
}

TEST(CountersTest, ReadersInOtherThreadsSeeCountsGrow) {
  stats::WorkerCounters counters;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    std::uint64_t last = 0;
    while (!done.load(std::memory_order_relaxed)) {
      const std::uint64_t now = counters.steals.read();
      ASSERT_GE(now, last);
      last = now;
      (void)counters.time_ns(Activity::kWorking, nopal::now_ns());
    }
  });
  for (int i = 0; i < 100'000; ++i) {
    counters.steals.add();
    if (i % 100 == 0)
      counters.enter(i % 200 == 0 ? Activity::kWorking : Activity::kStealing, nopal::now_ns());
  }
  done.store(true, std::memory_order_relaxed);
  reader.join();
  EXPECT_EQ(counters.steals.read(), 100'000u);
}

TEST(SnapshotTest, TotalsAddUpAndPeaksDoNot) {
  const Snapshot snapshot = stats::take_snapshot(&source(), nopal::now_ns());
  ASSERT_EQ(snapshot.workers.size(), 2u);
  EXPECT_TRUE(snapshot.workers[0].is_attached);
  EXPECT_FALSE(snapshot.workers[1].is_attached);
  EXPECT_EQ(snapshot.total.steals, 12u);
  EXPECT_EQ(snapshot.total.steal_attempts, 9u);
  EXPECT_EQ(snapshot.total.failed_empty, 3u);
  EXPECT_EQ(snapshot.total.failed_lost_race, 1u);
  EXPECT_EQ(snapshot.total.suspends, 2u);
  EXPECT_EQ(snapshot.total.resumes, 2u);
  EXPECT_EQ(snapshot.total.parks, 6u);
  EXPECT_EQ(snapshot.total.deque_depth_peak, 17u);
  EXPECT_EQ(snapshot.total.working_ns, 3'500'000u);
  EXPECT_EQ(snapshot.total.stealing_ns, 499'000u);
}

TEST(SnapshotTest, SitesAreDemangledAddedUpAndSorted) {
  const Snapshot snapshot = stats::take_snapshot(&source(), 0);
  ASSERT_EQ(snapshot.sites.size(), 4u);
  EXPECT_EQ(snapshot.sites[0].function, "void sort<int>(int*, int*)");
  EXPECT_EQ(snapshot.sites[0].steals, 9u);
  EXPECT_EQ(snapshot.sites[1].function, "fib(long)");
  EXPECT_EQ(snapshot.sites[2].function, "plain_c");
  EXPECT_EQ(snapshot.sites[2].steals, 0u) << "sites without steals are listed";
  EXPECT_EQ(snapshot.sites[3].function, "i") << "not demangled to int";
}

TEST(SnapshotTest, SitesWithoutLinesStayApart) {
  class TwoSpawns final : public stats::Source {
   public:
    void visit_workers(stats::WorkerVisitor &) const override {}
    std::uint64_t charge_caller(std::uint64_t, std::uint64_t) const override { return 0; }
    void visit_sites(stats::SiteVisitor &visitor) const override {
      for (const nopal_site &each : sites_) visitor.site(each);
    }

   private:
    nopal_site sites_[2] = {site("main", "a.c", 0, 1, 2), site("main", "a.c", 0, 1, 0)};
  };
  const TwoSpawns two_spawns;
  const Snapshot snapshot = stats::take_snapshot(&two_spawns, 0);
  ASSERT_EQ(snapshot.sites.size(), 2u);
  EXPECT_EQ(snapshot.sites[0].index, 0u);
  EXPECT_EQ(snapshot.sites[1].index, 2u);
  EXPECT_NE(stats::print_table(snapshot, stats::Detail::kTimes)
                .find("       1    0.000     0.000  main  a.c#0\n       1    0.000     0.000  main "
                      " a.c#2\n"),
            std::string::npos);
}

TEST(SnapshotTest, WithoutARuntimeThereAreNoWorkers) {
  const Snapshot snapshot = stats::take_snapshot(nullptr, 0);
  EXPECT_TRUE(snapshot.workers.empty());
  EXPECT_TRUE(snapshot.sites.empty());
  EXPECT_EQ(snapshot.elapsed_ns, 0u);
  EXPECT_GE(snapshot.nworkers, 1u);
}

TEST(DifferenceTest, SumsAreSubtractedAndTheRestStays) {
  cilk::statistics before;
  before.elapsed_ns = 100;
  before.total.steals = 3;
  before.total.deque_depth_peak = 9;
  before.segments.maps = 4;
  before.segments.in_use = 2;
  before.workers.push_back({1, false, before.total, {}});
  before.sites.push_back({"f", "a.c", 1, 2, 0, 5});
  cilk::statistics after = before;
  after.elapsed_ns = 150;
  after.total.steals = 10;
  after.total.working_cpu_ns = 7;
  after.segments.maps = 6;
  after.workers[0].counts = after.total;
  after.workers.push_back({2, false, {}, {}});
  after.workers.back().counts.steals = 4;
  after.sites[0].steals = 12;
  after.sites.push_back({"f", "a.c", 1, 2, 1, 8});
  const cilk::statistics between = cilk::difference(before, after);
  EXPECT_EQ(between.elapsed_ns, 50u);
  EXPECT_EQ(between.total.steals, 7u);
  EXPECT_EQ(between.total.working_cpu_ns, 7u);
  EXPECT_EQ(between.total.deque_depth_peak, 9u) << "the highest so far";
  EXPECT_EQ(between.segments.maps, 2u);
  EXPECT_EQ(between.segments.in_use, 2u) << "now";
  EXPECT_EQ(between.workers[0].counts.steals, 7u);
  EXPECT_EQ(between.workers[1].counts.steals, 4u) << "a worker that was not there before";
  EXPECT_EQ(between.sites[0].steals, 7u);
  EXPECT_EQ(between.sites[1].steals, 8u);
}

TEST(TableTest, ColumnsAreAligned) {
  Snapshot snapshot = stats::take_snapshot(&source(), 0);
  snapshot.nworkers = 2;
  snapshot.elapsed_ns = 5'000'499;
  snapshot.segments = {.size_bytes = 65536,
                       .in_use = 1,
                       .peak_in_use = 3,
                       .reserved = 2,
                       .peak_reserved = 4,
                       .reserved_bytes = 0,
                       .resident_bytes = 4097,
                       .maps = 9,
                       .decommits = 7,
                       .measurements = 6,
                       .deepest_path_bytes = 2048,
                       .space_bound_bytes = 4096};
  snapshot.stacks = {.live_bytes = 1,
                     .resident_bytes = 4096,
                     .segment_bytes = 65536,
                     .peak_live_bytes = 1025,
                     .peak_resident_bytes = 1234567,
                     .peak_segment_bytes = 1048576};
  snapshot.workers[0].counts.parked_ns = 1'500;
  snapshot.workers[0].counts.working_cpu_ns = 3'400'000;
  snapshot.workers[1].counts = snapshot.workers[0].counts;
  snapshot.total = snapshot.workers[0].counts;
  snapshot.total.working_ns *= 2;
  snapshot.total.working_cpu_ns *= 2;
  snapshot.summary = {};
  snapshot.site_times[0][0] = 1'250'000;
  snapshot.sites.pop_back();
  snapshot.sites[2].file = "p.c";
  const std::string times =
      "nopal: statistics: 2 workers, 5.000 ms: busy 70 % of it; one alone for 0.000 ms (0 %): too "
      "short to judge\n"
      "  give the program more work\n"
      "  worker  busy/%  working/ms  cpu/ms  stealing/ms  parked/ms  steals  attempts  empty  lost "
      "race  suspends  resumes  deque peak  parks\n"
      "      0*      70       3.500   3.400        0.499      0.002       5         9      3       "
      "  "
      " 1         0        0          17      0\n"
      "      1       70       3.500   3.400        0.499      0.002       5         9      3       "
      "  "
      " 1         0        0          17      0\n"
      "  total       70       7.000   6.800        0.499      0.002       5         9      3       "
      "  "
      " 1         0        0          17      0\n";
  const std::string stacks =
      "  stack segments of 64 KiB: 1 in use, at most 3; 2 reserved, at most 4; 5 KiB resident\n"
      "  stacks/KiB  live  resident  reserved  peak live  peak resident  peak reserved\n"
      "          0*     0         0         0          0              0              0\n"
      "          1      0         0         0          0              0              0\n"
      "      total      1         4        64          2           1206           1024\n"
      "  deepest path 2 KiB, times workers 4 KiB; 6 measurements, 7 decommits\n";
  const std::string sites =
      "  steals  work/ms  below/ms  spawn site\n"
      "       9    0.000     1.250  void sort<int>(int*, int*)  sort.h:40:3\n"
      "       2    0.000     0.000  fib(long)  fib.cpp:7:3\n"
      "       0    0.000     0.000  plain_c  p.c:1:3\n";
  EXPECT_EQ(stats::print_table(snapshot, stats::Detail::kTimes), times + sites);
  EXPECT_EQ(stats::print_table(snapshot, stats::Detail::kFull), times + stacks + sites);
  snapshot.total.views_created = 3;
  EXPECT_NE(stats::print_table(snapshot, stats::Detail::kTimes)
                .find("  hyperobjects  views  merged  views peak\n"),
            std::string::npos);
  snapshot.sites[0].steals = 123'456'789;
  EXPECT_NE(stats::print_table(snapshot, stats::Detail::kTimes)
                .find("\n     steals  work/ms  below/ms  spawn site\n  123456789    0.000     "
                      "1.250  void sort"),
            std::string::npos);
}

TEST(JsonTest, StringsAreEscaped) {
  EXPECT_EQ(json_string("plain"), "\"plain\"");
  EXPECT_EQ(json_string("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
  EXPECT_EQ(json_string(std::string_view("\0\n\x1f\x7f", 4)), "\"\\u0000\\u000a\\u001f\x7f\"");
  EXPECT_EQ(json_string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb5"),
            "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb5\"");
  // Not UTF-8: a stray byte, an overlong form, a surrogate, beyond U+10FFFF, a sequence that is cut
  // off.
  EXPECT_EQ(json_string("\x80"), "\"\\ufffd\"");
  EXPECT_EQ(json_string("\xc0\xaf"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("a\xe2\x82"), "\"a\\ufffd\\ufffd\"");
}

TEST(JsonTest, StrictParserAgrees) {
  const std::string json = stats::print_json(stats::take_snapshot(&source(), nopal::now_ns()));
  EXPECT_EQ(check_with_python(json, R"(
assert d['schema'] == 1 and d['nworkers'] >= 1 and d['elapsed_ns'] >= 0
assert [w['kind'] for w in d['workers']] == ['attached', 'helper']
assert [w['index'] for w in d['workers']] == [0, 1]
total, segments = d['total'], d['segments']
assert set(d['workers'][0]['stacks']) == set(total['stacks'])
assert set(total['stacks']) >= {'live_bytes', 'peak_resident_bytes'}
assert segments['space_bound_bytes'] == segments['deepest_path_bytes'] * max(d['nworkers'], 2)
assert d['workers'][0]['steals'] == 5 and d['workers'][1]['parks'] == 6
assert set(d['total']) | {'index', 'kind', 'steals_from'} == set(d['workers'][0])
assert [w['steals_from'] for w in d['workers']] == [[0, 4], [7, 0]]
assert total['steals'] == 12 and total['deque_depth_peak'] == 17
assert total['working_ns'] == 3500000
assert segments['size_bytes'] >= 65536 and segments['peak_in_use'] >= segments['in_use']
site = {'function': 'void sort<int>(int*, int*)', 'file': 'sort.h', 'line': 40,
        'column': 3, 'index': 0, 'steals': 9}
assert {key: d['sites'][0][key] for key in site} == site and d['sites'][0]['stolen_ns'] == 0
assert d['verdict']['cause'] and d['verdict']['sentence'] and d['summary']['processors'] >= 1
assert d['sites'][2]['file'] == 'a "quoted"\\path\n.c'
assert d['sites'][3]['file'] == '\ufffd\u00e9.c'
)"),
            0)
      << json;
}

TEST(JsonTest, EmptyListsAreValid) {
  const std::string json = stats::print_json(stats::take_snapshot(nullptr, 0));
  EXPECT_EQ(check_with_python(json, "assert d['workers'] == [] and d['sites'] == []"), 0) << json;
}

TEST(JsonTest, DocumentationNamesEveryField) {
  const auto read = [](const char *path) {
    std::ifstream in(fs::path(NOPAL_SOURCE_FOLDER) / path);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  };
  const std::string text = read("docs/statistics.md");
  // The page refers readers to the header for the others, so each has a comment on its line.
  const std::string header = read("runtime/include/cilk/statistics.h");
  const auto is_documented = [&header](const char *name) {
    const std::size_t at = header.find(std::string(" ") + name + ";");
    return at != std::string::npos && header.find("///<", at) < header.find('\n', at);
  };
  for (const stats::CountField &field : stats::kCountFields)
    EXPECT_NE(text.find(std::string("`") + field.name + "`"), std::string::npos) << field.name;
  for (const stats::CountField &field : stats::kCountFields)
    EXPECT_NE(text.find(std::string("| ") + field.heading + " |"), std::string::npos)
        << field.heading;
  for (const stats::SummaryField &field : stats::kSummaryFields)
    EXPECT_NE(text.find(std::string("| `") + field.name + "` |"), std::string::npos) << field.name;
  for (const stats::SiteField &field : stats::kSiteFields)
    EXPECT_NE(text.find(std::string("| `") + field.name + "` |"), std::string::npos) << field.name;
  EXPECT_NE(text.find("[statistics.h]"), std::string::npos);
  for (const stats::SegmentField &field : stats::kSegmentFields)
    EXPECT_TRUE(is_documented(field.name)) << field.name;
  for (const stats::StackField &field : stats::kStackFields)
    EXPECT_TRUE(is_documented(field.name)) << field.name;
  EXPECT_NE(text.find("`schema` | " + std::to_string(stats::kSchema)), std::string::npos);
}

class ReportDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    // Not random: a death test runs SetUp again in its own process.
    directory_ = fs::temp_directory_path() /
                 ("nopal-report-" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(directory_ / "inner");
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string json_path() const { return (directory_ / "out.json").string(); }
  fs::path directory_;
};

TEST_F(ReportDeathTest, TableIsPrintedAtExit) {
  EXPECT_EXIT(
      {
        setenv("CILK_STATS", "1", 1);
        stats::install(source());
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      "nopal: statistics: (.|\n)*worker(.|\n)*total(.|\n)*spawn site(.|\n)*fib\\(long\\)  "
      "fib.cpp:7:3");
}

TEST_F(ReportDeathTest, NothingIsPrintedUnlessAskedFor) {
  EXPECT_EXIT(
      {
        unsetenv("CILK_STATS");
        stats::install(source());
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(ReportDeathTest, JsonGoesToThePathAsItWasAtTheStart) {
  EXPECT_EXIT(
      {
        fs::current_path(directory_);
        setenv("CILK_STATS", "out.json", 1);
        stats::install(source());
        fs::current_path(directory_ / "inner");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
  std::ifstream in(json_path());
  const std::string json{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_EQ(check_with_python(json, "assert d['total']['steals'] == 12"), 0) << json;
}

TEST_F(ReportDeathTest, FileThatCannotBeWrittenIsRefusedAtTheStart) {
  EXPECT_EXIT(
      {
        setenv("CILK_STATS", (directory_ / "missing" / "out.json").c_str(), 1);
        stats::install(source());
        std::exit(0);
      },
      testing::ExitedWithCode(2),
      "^nopal: fatal: CILK_STATS: cannot write .*missing/out.json: No such file or directory; ");
}

TEST_F(ReportDeathTest, StatisticsThatTheFileCannotTakeGoToStderr) {
  EXPECT_EXIT(
      {
        setenv("CILK_STATS", json_path().c_str(), 1);
        stats::install(source());
        fs::remove_all(directory_);
        std::exit(7);
      },
      testing::ExitedWithCode(7),
      "^nopal: warning: CILK_STATS: cannot write .*out.json: No such file or directory; here they "
      "are\nnopal: statistics: ");
}

TEST_F(ReportDeathTest, LimitOnTheSizeOfFilesIsAnErrorAndNoSignal) {
  EXPECT_EXIT(
      {
        setenv("CILK_STATS", json_path().c_str(), 1);
        stats::install(source());
        std::fflush(stdout);  // which may be a file, too
        rlimit limit;
        limit.rlim_cur = limit.rlim_max = 200;
        setrlimit(RLIMIT_FSIZE, &limit);
        std::exit(7);
      },
      testing::ExitedWithCode(7),
      "^nopal: warning: CILK_STATS: cannot write .*out.json: File too large; here they are\n");
  EXPECT_EQ(fs::file_size(json_path()), 0u);
}

TEST_F(ReportDeathTest, PipeGetsTheStatisticsAtTheEnd) {
  const fs::path copy = directory_ / "copy";
  EXPECT_EXIT(
      {
        alarm(20);
        if (mkfifo(json_path().c_str(), 0600) != 0) _exit(1);
        if (fork() == 0) {  // who reads outlives the process; the test waits for both
          alarm(20);
          std::ifstream in(json_path());
          std::ofstream(copy) << in.rdbuf();
          _exit(0);
        }
        setenv("CILK_STATS", json_path().c_str(), 1);
        stats::install(source());
        std::exit(7);
      },
      testing::ExitedWithCode(7), "^$");
  EXPECT_GT(fs::file_size(copy), 100u);
}

TEST_F(ReportDeathTest, ChildOfForkPrintsNothing) {
  EXPECT_EXIT(
      {
        setenv("CILK_STATS", json_path().c_str(), 1);
        stats::install(source());
        const pid_t child = fork();
        if (child == 0) std::exit(0);
        int status = 0;
        waitpid(child, &status, 0);
        std::_Exit(fs::file_size(json_path()) == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(ReportDeathTest, ProgramReadsItsOwnStatistics) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "3", 1);
        const cilk::statistics before = cilk::read_statistics();
        bool is_right = before.workers.empty() && before.elapsed_ns == 0 && before.nworkers == 3;
        stats::install(source());
        const cilk::statistics now = cilk::read_statistics();
        is_right = is_right && now.workers.size() == 2 && now.workers[1].index == 1 &&
                   now.workers[1].counts.steals == 7;
        is_right = is_right && now.total.steals == 12 && now.sites.size() == 4 &&
                   now.sites[1].function == "fib(long)";
        is_right = is_right && now.segments.size_bytes >= 65536 && now.elapsed_ns > 0;
        std::_Exit(is_right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
