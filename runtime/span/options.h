// What the user chooses, from the environment.
//
// Read once, by tool.cpp. The rows of options.cpp are the one table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_OPTIONS_H
#define NOPAL_SPAN_OPTIONS_H

#include "clock.h"

#include <string>

namespace nopal::span {

struct Options {
  enum class Report { kNone, kTable, kJson };
  Report report = Report::kTable;
  std::string report_path;  // of kJson
  std::string csv_path;     // of Cilkscale's table; empty: standard output
  ClockKind clock = ClockKind::kCycles;
  double burden_ns = -1;  // negative: to be measured
};

/// Ends the process if a variable is malformed.
Options read_options();

}  // namespace nopal::span

#endif
