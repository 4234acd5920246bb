// See options.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include "../src/platform/tool_variables.h"
#include "../src/platform/whole_file.h"

#include <cstdlib>
#include <string_view>

namespace nopal::span {

namespace {

bool parse_report(std::string_view text, Options &options) {
  using Report = Options::Report;
  if (text == "0") {
    options.report = Report::kNone;
  } else if (text == "1") {
    options.report = Report::kTable;
  } else if (text.size() > 5 && text.ends_with(".json")) {
    options.report = Report::kJson;
    options.report_path = absolute_path(std::string(text));
  } else {
    return false;
  }
  return true;
}

bool parse_clock(std::string_view text, Options &options) {
  if (text == "cycles")
    options.clock = ClockKind::kCycles;
  else if (text == "steady")
    options.clock = ClockKind::kSteady;
  else if (text == "count")
    options.clock = ClockKind::kCount;
  else
    return false;
  return true;
}

bool parse_burden(std::string_view text, Options &options) {
  constexpr std::size_t kMostDigits = 9;  // a second
  if (text.empty() || text.size() > kMostDigits ||
      text.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  options.burden_ns = std::strtod(std::string(text).c_str(), nullptr);
  return true;
}

bool parse_csv(std::string_view text, Options &options) {
  options.csv_path = absolute_path(std::string(text));
  return true;
}

constexpr ToolVariable<Options> kVariables[] = {
    {"CILK_SPAN", "0, 1 or a path that ends in .json", "1",
     "What a program built with -fnopal-span prints at exit: 1 a table of work and span on stderr, "
     "0 nothing; a path writes it as JSON to that file.",
     parse_report},
    {"CILK_SPAN_CLOCK", "one of: cycles, steady, count", "cycles",
     "How such a program measures: cycle counter, steady clock, or a counter that the program "
     "moves.",
     parse_clock},
    {"CILK_SPAN_BURDEN", "a whole number of nanoseconds below 10^9",
     "measured when the program starts",
     "What a steal costs, for the burdened span; ticks if CILK_SPAN_CLOCK=count.", parse_burden},
    {"CILKSCALE_OUT", "a path", "standard output",
     "Where wsp_dump of <cilk/cilkscale.h> writes its table (CSV); the program's own figures are "
     "its last row.",
     parse_csv},
};

}  // namespace

Options read_options() {
  Options options;
  read_variables(kVariables, "CILK_SPAN", options);
  return options;
}

}  // namespace nopal::span
