// One reading of all statistics: what the table, the JSON file and <cilk/statistics.h> are made
// from.
//
// Called by report.cpp. Checked by tests/unit/stats_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_SNAPSHOT_H
#define NOPAL_STATS_SNAPSHOT_H

#include "site_times.h"
#include "source.h"

#include <cilk/statistics.h>

#include <array>
#include <cstdint>
#include <vector>

namespace nopal::stats {

/// What the run as a whole was like.
struct Summary {
  std::uint64_t processors = 0;
  std::uint64_t before_start_ns = 0;  // from the library's initialization to the runtime's start
  std::uint64_t none_working_ns = 0;
  std::uint64_t one_working_ns = 0;
  std::uint64_t after_last_join_ns = 0;  // of that: the part at the end in which no strand ended
  std::uint64_t alone_ns = 0;            // of one_working_ns: it had a processor
  std::uint64_t working_wait_ns = 0;     // workers that worked had no processor; all together
  std::uint64_t idle_wait_ns = 0;        // the same, of those that looked for work
  std::uint64_t lone_looks = 0;          // lone_spawns.h
  std::uint64_t lone_looks_at_spawns = 0;
  std::uint64_t spawn_samples = 0;
  std::uint64_t spawn_interval_ns = 0;  // of the samples, four of five are below
  std::uint64_t strands_ns = 0;         // processor time of all strands
  std::uint64_t longest_path_ns = 0;    // 0: not known
  std::uint64_t blocked_ns = 0;         // strands waited of their own accord
  std::uint64_t hungry_ns = 0;          // hunger.h
  std::uint64_t hungry_error_ns = 0;    // its standard error
};

struct SummaryField {
  const char *name;  // in JSON
  std::uint64_t Summary::*value;
};
extern const std::array<SummaryField, 17> kSummaryFields;

/// A time of a site.
struct SiteField {
  const char *name;     // in JSON
  const char *heading;  // in the table; null: not there
  SiteTime time;
};
extern const std::array<SiteField, kSiteTimes> kSiteFields;

struct Snapshot : cilk::statistics {
  Summary summary;
  std::vector<std::vector<std::uint64_t>> steals_from;  // of each of `workers`: by victim's index
  std::vector<std::array<std::uint64_t, kSiteTimes>> site_times;  // of each of `sites`

  std::uint64_t time(std::size_t site, SiteTime which) const {
    return site_times[site][static_cast<std::size_t>(which)];
  }
};

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

extern const std::array<CountField, 23> kCountFields;

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
/// `waited_before_ns`: how long the thread that started it had waited for a processor until then.
Snapshot take_snapshot(const Source *source, std::uint64_t started_ns,
                       std::uint64_t waited_before_ns = 0);

}  // namespace nopal::stats

#endif
