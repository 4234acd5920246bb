// The table of environment variables. A new variable is a row of kVariables with its parser, and a
// field of Config; docs and help follow it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table.h"

#include "../platform/unknown_variables.h"
#include "../policy/list.h"
#include "cpus.h"

#include <cactus/segment.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace nopal {

namespace {

struct Variable {
  const char *name;
  const char *unit;
  const char *range;  // completes "NAME: "text" is not ..."
  const char *fallback;
  const char *sentence;
  bool (*parse)(std::string_view text, Config &config);  // false: refused
};

template <class Number>
std::optional<Number> whole(std::string_view text, Number lowest, Number highest) {
  Number value{};
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < lowest || value > highest) return std::nullopt;
  return value;
}

bool parse_nworkers(std::string_view text, Config &config) {
  const auto value = whole<unsigned>(text, 1, kMaxWorkers);
  if (value) config.nworkers = *value;
  return value.has_value();
}

bool parse_segment_size(std::string_view text, Config &config) {
  unsigned shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K':
      case 'k':
        shift = 10;
        break;
      case 'M':
      case 'm':
        shift = 20;
        break;
      case 'G':
      case 'g':
        shift = 30;
        break;
      default:
        break;
    }
  }
  if (shift != 0) text.remove_suffix(1);
  const auto value = whole<std::size_t>(text, 1, cactus::kMaxSegmentBytes >> shift);
  if (!value || *value << shift < cactus::kMinSegmentBytes) return false;
  config.segment_size_bytes = cactus::round_segment_bytes(*value << shift);
  return true;
}

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

bool parse_stats(std::string_view text, Config &config) {
  using Kind = Config::Stats::Kind;
  if (text == "0") {
    config.stats = {Kind::kNone, ""};
  } else if (text == "1") {
    config.stats = {Kind::kTable, ""};
  } else if (text == "full") {
    config.stats = {Kind::kFullTable, ""};
  } else if (ends_with(text, ".json")) {
    config.stats = {Kind::kJson, std::string(text)};
  } else {
    return false;
  }
  return true;
}

bool parse_trace(std::string_view text, Config &config) {
  using Format = Config::Trace::Format;
  const bool is_perfetto = ends_with(text, ".pftrace");
  if (!is_perfetto && !ends_with(text, ".json")) return false;
  config.trace = {is_perfetto ? Format::kPerfetto : Format::kChrome, std::string(text)};
  return true;
}

bool parse_chaos(std::string_view text, Config &config) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const auto seed =
      whole<std::uint64_t>(text.substr(0, colon), 0, std::numeric_limits<std::uint64_t>::max());
  const std::string_view rest = text.substr(colon + 1);
  double probability = 0;
  const char *end = rest.data() + rest.size();
  const auto [stop, error] =
      std::from_chars(rest.data(), end, probability, std::chars_format::fixed);
  const bool is_probability =
      error == std::errc{} && stop == end && probability >= 0 && probability <= 1;  // not a NaN
  if (!seed || !is_probability) return false;
  config.chaos = {true, *seed, probability};
  return true;
}

/// "one of: random, nearest, ...": the words of policy/list.h.
constexpr auto kPolicies = [] {
#define NOPAL_WORD(word, type, text) #word ", "
  constexpr std::string_view kText = "one of: " NOPAL_POLICIES(NOPAL_WORD);
#undef NOPAL_WORD
  std::array<char, kText.size() - 1> text{};  // the last comma becomes the end
  kText.copy(text.data(), kText.size() - 2);
  return text;
}();

bool parse_steal(std::string_view text, Config &config) {
#define NOPAL_ROW(word, type, what)                               \
  if (text == #word) {                                            \
    config.steal = static_cast<std::uint8_t>(policy::Kind::word); \
    return true;                                                  \
  }
  NOPAL_POLICIES(NOPAL_ROW)
#undef NOPAL_ROW
  return false;
}

bool parse_adapt(std::string_view text, Config &config) {
  const auto adapt = adapt_of(text);
  if (adapt) config.adapt = *adapt;
  return adapt.has_value();
}

bool parse_bind(std::string_view text, Config &config) {
  using Bind = Config::Bind;
  if (text == "none")
    config.bind = Bind::kNone;
  else if (text == "compact")
    config.bind = Bind::kCompact;
  else if (text == "spread")
    config.bind = Bind::kSpread;
  else
    return false;
  return true;
}

bool parse_synthetic(std::string_view text, Config &config) {
  config.synthetic_machine = text;
  return true;
}

bool parse_machine_file(std::string_view text, Config &config) {
  config.machine_file = text;
  return true;
}

bool parse_fence(std::string_view text, Config &config) {
  using Fence = Config::Fence;
  if (text == "automatic")
    config.fence = Fence::kAutomatic;
  else if (text == "asymmetric")
    config.fence = Fence::kAsymmetric;
  else if (text == "full")
    config.fence = Fence::kFull;
  else
    return false;
  return true;
}

bool parse_stack_peak(std::string_view text, Config &config) {
  config.stack_peak = text == "exact" ? Config::StackPeak::kExact : Config::StackPeak::kSampled;
  return text == "sampled" || text == "exact";
}

bool parse_help(std::string_view text, Config &config) {
  config.help = text == "1";
  return text == "0" || text == "1";
}

static_assert(static_cast<int>(policy::Kind::random) == 0, "the default of Config::steal");
static_assert(kMaxWorkers == 4096 && cactus::kMinSegmentBytes == 64 << 10 &&
                  cactus::kMaxSegmentBytes == std::size_t{1024} << 30,
              "the ranges below are written out");

constexpr Variable kVariables[] = {
    {"CILK_NWORKERS", "workers", "a whole number from 1 to 4096",
     "the CPUs of the affinity mask, cut down by the control group's CPU quota",
     "Number of workers, the thread that spawns first included.", parse_nworkers},
    {"CILK_SEGMENT_SIZE", "bytes",
     "a whole number of bytes from 64K to 1024G, with K, M or G after it for KiB, MiB or GiB",
     "the soft stack limit; 8M if there is none",
     "Reserved size of a stack segment, rounded up to whole pages; memory is committed when it is "
     "touched. Not that of the first thread's stack "
     "(ulimit -s) nor of other threads of the program.",
     parse_segment_size},
    {"CILK_STATS", "", "0, 1, full or a path that ends in .json", "0",
     "1 says on stderr at exit how well the workers were used, and why not better; full adds bytes "
     "of stacks; a path writes all as JSON to that file.",
     parse_stats},
    {"CILK_TRACE", "", "a path that ends in .pftrace or .json", "none",
     "Writes a timeline of the workers to that file: .pftrace for Perfetto, .json for Chrome's "
     "viewer.",
     parse_trace},
    {"CILK_CHAOS", "",
     "SEED:PROBABILITY, a whole number of at most 64 bits and a decimal number from 0 to 1", "none",
     "Steals continuations from the worker itself with this probability at each spawn, to test "
     "programs and the runtime.",
     parse_chaos},
    {"CILK_STEAL", "", kPolicies.data(), "random",
     "The victim policy: how a worker without work chooses whom to steal from, and how much.",
     parse_steal},
    {"CILK_ADAPT", "", "one of: 0, 1, turns", "0",
     "1: how many workers look for work follows how many the program has used; it asks for no more "
     "than there are processors. turns: the same, and all your programs with this setting share "
     "the machine: one has the processors that it can use, and the others the rest.",
     parse_adapt},
    {"CILK_BIND", "", "one of: none, compact, spread", "none",
     "Where the runtime's threads run: compact puts neighbours by number beside each other, spread "
     "far from each other; each is bound to one processor.",
     parse_bind},
    {"HWLOC_SYNTHETIC", "", "a topology that hwloc can read", "this machine",
     "A machine for the victim policies to see, for tests; hwloc's own variable, such as \"pack:4 "
     "numa:2 core:16 pu:1\". Read, and refused if it is wrong, only with CILK_STEAL=nearest or "
     "CILK_BIND, since hwloc is loaded only then.",
     parse_synthetic},
    {"HWLOC_XMLFILE", "", "a file in hwloc's XML, as lstopo writes it", "this machine",
     "The same from a file, which may say how far NUMA nodes are from each other; hwloc's own "
     "variable.",
     parse_machine_file},
    {"CILK_FENCE", "", "one of: automatic, asymmetric, full", "automatic",
     "How thief and owner agree: asymmetric puts the cost on the thief (membarrier), full on both; "
     "automatic is asymmetric where "
     "the system allows it, and full for a while in a worker that was stolen from.",
     parse_fence},
    {"CILK_STACK_PEAK", "", "one of: sampled, exact", "sampled",
     "How the statistics find the peak of stack memory: sampled costs 1 % of the time at most, "
     "exact misses nothing.",
     parse_stack_peak},
    {"CILK_HELP", "", "0 or 1", "0", "1 prints this table and goes on.", parse_help},
};

const char *set_text(const Environment &environment, const char *name) {
  const char *text = environment(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

}  // namespace

Config default_config() {
  Config config;
  config.processors = usable_cpus();
  config.nworkers = std::min(config.processors, kMaxWorkers);
  config.segment_size_bytes = cactus::default_segment_bytes();
  return config;
}

std::string read_environment(const Environment &environment, Config &config) {
  for (const Variable &variable : kVariables) {
    const char *text = set_text(environment, variable.name);
    if (text == nullptr || variable.parse(text, config)) continue;
    return std::string(variable.name) + ": \"" + text + "\" is not " + variable.range;
  }
  if (!config.trace.path.empty() && config.trace.path == config.stats.path)
    return "CILK_TRACE: \"" + config.trace.path +
           "\" is the file of CILK_STATS, too; give each a file of its own";
  return "";
}

std::string misspelt_variables(const char *const *environ) {
  return unknown_variables(environ, "CILK_", [](std::string_view name) {
    for (const Variable &variable : kVariables)
      if (name == variable.name) return true;
    // These look at their own.
    return name.starts_with("CILK_SPAN") || name.starts_with("CILK_RACE_");
  });
}

std::string describe_environment(const Environment &environment) {
  std::string result = "nopal: environment variables\n";
  for (const Variable &variable : kVariables) {
    const char *text = set_text(environment, variable.name);
    result += std::string("  ") + variable.name +
              (text != nullptr ? std::string("=") + text : std::string(" (not set)")) + "\n";
    result += std::string("      ") + variable.sentence + "\n";
    result += std::string("      ") + variable.range;
    if (*variable.unit != '\0') result += std::string(" [") + variable.unit + "]";
    result += std::string("; default: ") + variable.fallback + "\n";
  }
  return result;
}

}  // namespace nopal
