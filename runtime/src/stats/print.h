// The two forms of the statistics: a table for people, JSON for machines. Both are described in
// docs/statistics.md.
//
// Called by report.cpp. Checked by tests/unit/stats_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_PRINT_H
#define NOPAL_STATS_PRINT_H

#include "snapshot.h"

#include <string>
#include <string_view>

namespace nopal::stats {

/// Raised when a field of the JSON form changes its meaning or goes away; new fields do not raise
/// it.
inline constexpr unsigned kSchema = 1;

enum class Detail { kTimes, kFull };

/// The verdict in words, a row a worker and a total, then a row a spawn site. kFull: bytes of
/// stacks too.
std::string print_table(const Snapshot &snapshot, Detail detail);

/// One JSON object in UTF-8, with a line break at its end.
std::string print_json(const Snapshot &snapshot);

/// A function's name for the table: template arguments, then parameters, give way to "..." if it is
/// long.
std::string short_name(std::string_view name);
/// file:line:column. Without debug information there is no line; the index still tells the spawns
/// of a function apart.
std::string location(const cilk::site_row &site);
/// 1234567 ns are "1.235" ms.
std::string milliseconds(std::uint64_t ns);

}  // namespace nopal::stats

#endif
