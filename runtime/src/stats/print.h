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

/// A row a worker and a total, the segments, then a row a spawn site.
std::string print_table(const Snapshot &snapshot);

/// One JSON object in UTF-8, with a line break at its end.
std::string print_json(const Snapshot &snapshot);

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so that any file name
/// gives valid JSON.
std::string json_string(std::string_view text);

}  // namespace nopal::stats

#endif
