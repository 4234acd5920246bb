// runtime/src/config and runtime/src/fatal: every variable's range, the refusals, the help, and the
// freeze.
//
// Death tests read the process's own configuration, each in a process of its own. The parser gets
// made-up environments.
#include "config/config.h"
#include "config/table.h"
#include "leave.h"
#include "platform/fatal.h"
#include "policy/list.h"

#include <cactus/segment.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>

namespace {

using nopal::Config;
using Variables = std::map<std::string, std::string>;

nopal::Environment environment(const Variables &variables) {
  return [&variables](const char *name) -> const char * {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

std::string refusal(const std::string &name, const std::string &text) {
  Config config;
  const Variables variables{{name, text}};
  return nopal::read_environment(environment(variables), config);
}

Config accepted(const std::string &name, const std::string &text) {
  Config config;
  const Variables variables{{name, text}};
  EXPECT_EQ(nopal::read_environment(environment(variables), config), "") << name << "=" << text;
  return config;
}

void expect_refused(const std::string &name, std::initializer_list<const char *> texts) {
  for (const char *text : texts) {
    EXPECT_EQ(refusal(name, text).rfind(name + ": \"" + text + "\" is not ", 0), 0u)
        << name << "=" << text << " gave " << refusal(name, text);
  }
}

TEST(ConfigTest, DefaultsAreUsable) {
  const Config config = nopal::default_config();
  EXPECT_GE(config.nworkers, 1u);
  EXPECT_LE(config.nworkers, nopal::kMaxWorkers);
  EXPECT_EQ(config.segment_size_bytes, cactus::default_segment_bytes());
  EXPECT_EQ(config.stats.kind, Config::Stats::Kind::kNone);
  EXPECT_FALSE(config.chaos.enabled);
  EXPECT_EQ(config.fence, Config::Fence::kAutomatic);
  EXPECT_FALSE(config.help);
}

TEST(ConfigTest, Nworkers) {
  EXPECT_EQ(accepted("CILK_NWORKERS", "1").nworkers, 1u);
  EXPECT_EQ(accepted("CILK_NWORKERS", "4096").nworkers, 4096u);
  expect_refused("CILK_NWORKERS",
                 {"0", "-1", "4097", "4294967297", "two", "2x", " 2", "2 ", "0x2", "+2", "1.5"});
  EXPECT_EQ(refusal("CILK_NWORKERS", "0"),
            "CILK_NWORKERS: \"0\" is not a whole number from 1 to 4096");
}

TEST(ConfigTest, SegmentSize) {
  EXPECT_EQ(accepted("CILK_SEGMENT_SIZE", "65536").segment_size_bytes, 65536u);
  EXPECT_EQ(accepted("CILK_SEGMENT_SIZE", "64K").segment_size_bytes, 65536u);
  EXPECT_EQ(accepted("CILK_SEGMENT_SIZE", "2m").segment_size_bytes, std::size_t{2} << 20);
  EXPECT_EQ(accepted("CILK_SEGMENT_SIZE", "1024G").segment_size_bytes, std::size_t{1} << 40);
  EXPECT_EQ(accepted("CILK_SEGMENT_SIZE", "100000").segment_size_bytes,
            cactus::round_segment_bytes(100000));
  expect_refused("CILK_SEGMENT_SIZE", {"0", "63K", "65535", "1025G", "K", "8MB", "8 M", "-8M",
                                       "99999999999999999999", "18014398509481984K", "1T"});
}

TEST(ConfigTest, Stats) {
  using Kind = Config::Stats::Kind;
  EXPECT_EQ(accepted("CILK_STATS", "1").stats.kind, Kind::kTable);
  EXPECT_EQ(accepted("CILK_STATS", "full").stats.kind, Kind::kFullTable);
  EXPECT_EQ(accepted("CILK_STATS", "0").stats.kind, Kind::kNone);
  const Config config = accepted("CILK_STATS", "out/a.json");
  EXPECT_EQ(config.stats.kind, Kind::kJson);
  EXPECT_EQ(config.stats.path, "out/a.json");
  expect_refused("CILK_STATS", {"yes", "2", ".json", "out.txt", "out.json.gz"});
}

TEST(ConfigTest, Chaos) {
  const Config config = accepted("CILK_CHAOS", "18446744073709551615:0.25");
  EXPECT_TRUE(config.chaos.enabled);
  EXPECT_EQ(config.chaos.seed, 18446744073709551615u);
  EXPECT_EQ(config.chaos.probability, 0.25);
  EXPECT_EQ(accepted("CILK_CHAOS", "1:1").chaos.probability, 1.0);
  EXPECT_EQ(accepted("CILK_CHAOS", "1:0").chaos.probability, 0.0);
  EXPECT_EQ(accepted("CILK_CHAOS", "1:.5").chaos.probability, 0.5);
  expect_refused("CILK_CHAOS", {"1", ":", "1:", ":0.5", "1:1.1", "1:-0.1", "1:nan", "1:inf",
                                "-1:0.5", "x:0.5", "1:0.5x", "1:0.5:2", "18446744073709551616:0"});
}

TEST(ConfigTest, StealAndFence) {
  EXPECT_EQ(accepted("CILK_STEAL", "random").steal, 0);
#define NOPAL_ACCEPTED(word, type, text)         \
  EXPECT_EQ(accepted("CILK_STEAL", #word).steal, \
            static_cast<std::uint8_t>(nopal::policy::Kind::word));
  NOPAL_POLICIES(NOPAL_ACCEPTED)
#undef NOPAL_ACCEPTED
  expect_refused("CILK_STEAL", {"Random", "greedy", "near", "random,half", " half"});
  EXPECT_EQ(refusal("CILK_STEAL", "closest"),
            "CILK_STEAL: \"closest\" is not one of: random, nearest, localized, hashing, mugging, "
            "half");
  EXPECT_EQ(accepted("CILK_ADAPT", "0").adapt, Config::Adapt::kNo);
  EXPECT_EQ(accepted("CILK_ADAPT", "1").adapt, Config::Adapt::kYes);
  EXPECT_EQ(accepted("CILK_ADAPT", "turns").adapt, Config::Adapt::kTurns);
  expect_refused("CILK_ADAPT", {"yes", "2", "turn"});
  EXPECT_EQ(accepted("CILK_BIND", "none").bind, Config::Bind::kNone);
  EXPECT_EQ(accepted("CILK_BIND", "compact").bind, Config::Bind::kCompact);
  EXPECT_EQ(accepted("CILK_BIND", "spread").bind, Config::Bind::kSpread);
  expect_refused("CILK_BIND", {"1", "close", "Spread"});
  EXPECT_EQ(refusal("CILK_BIND", "close"),
            "CILK_BIND: \"close\" is not one of: none, compact, spread");
  EXPECT_EQ(accepted("HWLOC_SYNTHETIC", "pack:2 pu:2").synthetic_machine, "pack:2 pu:2");
  EXPECT_EQ(accepted("HWLOC_XMLFILE", "a/b.xml").machine_file, "a/b.xml");
  EXPECT_EQ(accepted("CILK_FENCE", "automatic").fence, Config::Fence::kAutomatic);
  EXPECT_EQ(accepted("CILK_FENCE", "asymmetric").fence, Config::Fence::kAsymmetric);
  EXPECT_EQ(accepted("CILK_FENCE", "full").fence, Config::Fence::kFull);
  expect_refused("CILK_FENCE", {"none", "1"});
  EXPECT_EQ(accepted("CILK_STACK_PEAK", "sampled").stack_peak, Config::StackPeak::kSampled);
  EXPECT_EQ(accepted("CILK_STACK_PEAK", "exact").stack_peak, Config::StackPeak::kExact);
  expect_refused("CILK_STACK_PEAK", {"Exact", "1", "exact "});
}

TEST(ConfigTest, TraceIsAPathInOneOfTwoFormats) {
  using Format = Config::Trace::Format;
  EXPECT_EQ(Config().trace.format, Format::kNone);
  EXPECT_EQ(accepted("CILK_TRACE", "a/b.pftrace").trace.format, Format::kPerfetto);
  EXPECT_EQ(accepted("CILK_TRACE", "a/b.pftrace").trace.path, "a/b.pftrace");
  EXPECT_EQ(accepted("CILK_TRACE", "t.json").trace.format, Format::kChrome);
  expect_refused("CILK_TRACE", {"1", ".json", ".pftrace", "t.txt"});
  EXPECT_EQ(refusal("CILK_TRACE", "t"),
            "CILK_TRACE: \"t\" is not a path that ends in .pftrace or .json");
}

TEST(ConfigTest, StatisticsAndTraceNeedAFileEach) {
  const Variables one{{"CILK_STATS", "a.json"}, {"CILK_TRACE", "a.json"}};
  Config config;
  EXPECT_EQ(nopal::read_environment(environment(one), config),
            "CILK_TRACE: \"a.json\" is the file of CILK_STATS, too; give each a file of its own");
}

TEST(ConfigTest, SetToNothingCountsAsNotSet) {
  for (const char *name : {"CILK_NWORKERS", "CILK_SEGMENT_SIZE", "CILK_STATS", "CILK_TRACE",
                           "CILK_CHAOS", "CILK_STEAL", "CILK_ADAPT", "CILK_BIND", "HWLOC_SYNTHETIC",
                           "HWLOC_XMLFILE", "CILK_FENCE", "CILK_STACK_PEAK", "CILK_HELP"}) {
    EXPECT_EQ(refusal(name, ""), "");
  }
}

TEST(ConfigTest, MisspeltVariablesAreNamed) {
  const char *const variables[] = {"CILK_NWORKER=2", "CILK_NWORKERS=2",  "CILK_SPAN_CLOCK=count",
                                   "CILK_STAT=",     "CILK_RACE_FOO=1",  "PATH=CILK_X",
                                   "CILKSCALE=1",    "OMP_NUM_THREADS=", nullptr};
  EXPECT_EQ(nopal::misspelt_variables(variables), "CILK_NWORKER, CILK_STAT");
}

TEST(ConfigTest, FirstMalformedVariableIsNamed) {
  Config config;
  const Variables variables{{"CILK_FENCE", "x"}, {"CILK_NWORKERS", "y"}};
  EXPECT_EQ(nopal::read_environment(environment(variables), config).rfind("CILK_NWORKERS", 0), 0u);
}

TEST(ConfigTest, HelpNamesEveryVariableWithItsValue) {
  const Variables variables{{"CILK_NWORKERS", "3"}};
  const std::string help = nopal::describe_environment(environment(variables));
  EXPECT_NE(help.find("CILK_NWORKERS=3\n"), std::string::npos);
  for (const char *name :
       {"CILK_SEGMENT_SIZE", "CILK_STATS", "CILK_TRACE", "CILK_CHAOS", "CILK_STEAL", "CILK_ADAPT",
        "CILK_BIND", "HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "CILK_FENCE", "CILK_HELP"}) {
    EXPECT_NE(help.find(std::string(name) + " (not set)\n"), std::string::npos) << name;
  }
  EXPECT_NE(help.find("only with CILK_STEAL=nearest or CILK_BIND"), std::string::npos);
  accepted("CILK_HELP", "0");
  EXPECT_TRUE(accepted("CILK_HELP", "1").help);
  expect_refused("CILK_HELP", {"yes"});
}

class ConfigDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ConfigDeathTest, MalformedVariableEndsTheProcessWithStatusTwo) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "many", 1);
        nopal::config();
      },
      testing::ExitedWithCode(2),
      "^nopal: fatal: CILK_NWORKERS: \"many\" is not a whole number from 1 to 4096\n$");
}

TEST_F(ConfigDeathTest, HelpIsPrintedAndTheProgramGoesOn) {
  EXPECT_EXIT(
      {
        setenv("CILK_HELP", "1", 1);
        setenv("CILK_NWORKERS", "7", 1);
        leave_with(nopal::config().nworkers == 7);
      },
      testing::ExitedWithCode(0), "CILK_NWORKERS=7");
}

TEST_F(ConfigDeathTest, NworkersChangesUntilItIsFrozen) {
  EXPECT_EXIT(
      {
        unsetenv("CILK_NWORKERS");
        const unsigned by_default = nopal::config().nworkers;
        bool is_right = nopal::set_nworkers(5) && nopal::config().nworkers == 5;
        is_right = is_right && !nopal::set_nworkers(nopal::kMaxWorkers + 1) &&
                   nopal::config().nworkers == 5;
        is_right = is_right && nopal::set_nworkers(0) && nopal::config().nworkers == by_default;
        is_right = is_right && nopal::set_nworkers(6) && nopal::freeze_config().nworkers == 6;
        is_right = is_right && !nopal::set_nworkers(7) && nopal::config().nworkers == 6;
        nopal::thaw_config();
        is_right = is_right && nopal::set_nworkers(7) && nopal::config().nworkers == 7;
        leave_with(is_right);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(ConfigDeathTest, MessagesHaveTheHouseForm) {
  EXPECT_EXIT(nopal::fatal("cannot map %d bytes", 5), testing::KilledBySignal(SIGABRT),
              "^nopal: fatal: cannot map 5 bytes\n");
  EXPECT_EXIT(nopal::refuse("%s", "no"), testing::ExitedWithCode(nopal::kRefusedStatus),
              "^nopal: fatal: no\n$");
  EXPECT_EXIT(
      {
        nopal::warn("%s", std::string(10000, 'x').c_str());  // cut, with its newline
        leave_with(true);
      },
      testing::ExitedWithCode(0), "^nopal: warning: x+\n$");
}

}  // namespace
