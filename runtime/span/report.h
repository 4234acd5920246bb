// What is printed at exit.
//
// Called by tool.cpp. The table is for people, JSON for machines; both have the rows of `Report`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_REPORT_H
#define NOPAL_SPAN_REPORT_H

#include "tool.h"

#include <optional>
#include <string>
#include <vector>

namespace nopal::span {

/// The first line of Cilkscale's table.
inline constexpr char kCilkscaleHeader[] =
    "tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism\n";

/// How many sites the table has.
inline constexpr std::size_t kHeaviest = 10;

struct SiteRow {
  Site site;
  std::uint64_t count;
  Ticks work, own, on_path;
  // What the program's parallelism would be; none for a site without a what-if.
  std::optional<double> if_faster, if_parallel;
};

struct Report {
  WorkSpan total;                // of the first thread
  Ticks sharing;                 // of its work: strands that share a read of the clock
  std::vector<WorkSpan> others;  // of other threads that spawn
  std::vector<SiteRow> sites;    // that ran, the heaviest by their own work first
  std::map<std::string, Region> regions;
};

Report make_report(Tool &tool);
std::string as_table(const Report &report, const Tool &tool);
std::string as_json(const Report &report, const Tool &tool);
/// Where the user wants it.
void write_report(Tool &tool);

/// work / span, or infinity.
double parallelism(double work, double span);

}  // namespace nopal::span

#endif
