// One reading of all statistics: what the table, the JSON file and <cilk/statistics.h> are made
// from.
//
// Called by report.cpp. Checked by tests/unit/stats_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_SNAPSHOT_H
#define NOPAL_STATS_SNAPSHOT_H

#include "source.h"

#include <cilk/statistics.h>

#include <array>
#include <cstdint>

namespace nopal::stats {

using Snapshot = cilk::statistics;

/// Which table for people shows a count.
enum class CountTable {
  kWorkers,
  kPolicy,  // what a victim policy did; if it did anything
  kViews    // of hyperobjects; if there were any
};

/// One count of a worker: its name in JSON, its heading in the table, its member, and how workers
/// add up. The only list of them.
struct CountField {
  const char *name;
  const char *heading;
  std::uint64_t cilk::worker_statistics::*value;
  bool is_maximum;  // the total is the highest one, not the sum
  bool is_time;     // nanoseconds; the table shows milliseconds
  CountTable table;
};

extern const std::array<CountField, 22> kCountFields;

struct SegmentField {
  const char *name;
  std::uint64_t cilk::segment_statistics::*value;
};

extern const std::array<SegmentField, 12> kSegmentFields;

/// Bytes of a worker's stacks, or of all; the table shows KiB.
struct StackField {
  const char *name;
  const char *heading;
  std::uint64_t cilk::stack_statistics::*value;
};

extern const std::array<StackField, 6> kStackFields;

/// Reads everything. `source` may be null: then there are no workers and no sites. `started_ns` is
/// a reading of now_ns(), or 0.
Snapshot take_snapshot(const Source *source, std::uint64_t started_ns);

}  // namespace nopal::stats

#endif
