// Reads counters, sites and segments. Specified in snapshot.h and docs/statistics.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snapshot.h"

#include "../config/config.h"
#include "../platform/demangled.h"
#include "busy.h"
#include "hunger.h"
#include "lone_spawns.h"
#include "print.h"

#include <cactus/measure.h>
#include <cactus/segment.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace nopal::stats {

namespace {

using Counts = cilk::worker_statistics;

Counts read(const WorkerCounters &counters, std::uint64_t now) {
  Counts counts{};
  counts.steals = counters.steals.read();
  counts.steal_attempts = counters.attempts.read();
  counts.failed_empty = counters.failed_empty.read();
  counts.failed_lost_race = counters.failed_lost_race.read();
  counts.suspends = counters.suspends.read();
  counts.resumes = counters.resumes.read();
  counts.deque_depth_peak = counters.deque_depth_peak.read();
  counts.parks = counters.parks.read();
  counts.working_ns = counters.time_ns(Activity::kWorking, now);
  counts.stealing_ns = counters.time_ns(Activity::kStealing, now);
  counts.parked_ns = counters.time_ns(Activity::kParked, now);
  counts.failed_others_work = counters.failed_others_work.read();
  counts.steal_backs = counters.steal_backs.read();
  counts.hash_hits = counters.hash_hits.read();
  counts.taken_along = counters.taken_along.read();
  counts.steals_nearest = counters.steals_at_distance[0].read();
  counts.steals_near = counters.steals_at_distance[1].read();
  counts.steals_far = counters.steals_at_distance[2].read();
  counts.steals_farthest = counters.steals_at_distance[3].read();
  counts.views_created = counters.views_created.read();
  counts.views_merged = counters.views_merged.read();
  counts.views_peak = counters.views_peak.read();
  return counts;
}

cilk::stack_statistics read(const cactus::StackUsage &usage) {
  return {usage.now.live,  usage.now.resident,  usage.now.reserved,
          usage.peak.live, usage.peak.resident, usage.peak.reserved};
}

/// When this library was initialized.
std::uint64_t loaded_ns = 0;
[[gnu::constructor]] void note_loading() { loaded_ns = now_ns(); }

class WorkerReader final : public WorkerVisitor {
 public:
  using Intervals = std::array<std::uint64_t, kSpawnIntervals>;
  WorkerReader(Snapshot &snapshot, std::uint64_t now) : snapshot_(snapshot), now_(now) {}
  void worker(unsigned index, WorkerKind kind, const WorkerCounters &counters,
              const cactus::Account &stacks) override {
    const WorkerCounters::Processor processor = counters.working_processor();
    Counts counts = read(counters, now_);
    counts.working_cpu_ns = processor.ran_ns;
    snapshot_.workers.push_back(
        {index, kind == WorkerKind::kAttached, counts, read(stacks.usage())});
    for (const CountField &field : kCountFields) {
      std::uint64_t &total = snapshot_.total.*field.value;
      total = field.is_maximum ? std::max(total, counts.*field.value) : total + counts.*field.value;
    }
    std::vector<std::uint64_t> &row = snapshot_.steals_from.emplace_back();
    for (const Counter &steals : counters.steals_from) row.push_back(steals.read());
    snapshot_.summary.working_wait_ns += processor.waited_ns;
    snapshot_.summary.idle_wait_ns += counters.idle_wait_ns.read();
    snapshot_.summary.strands_ns += counters.strand.work_ns();
    snapshot_.summary.blocked_ns += counters.strand.blocked_ns();
    longest_ns_ = std::max(longest_ns_, counters.strand.longest_ns());
    for (std::size_t i = 0; i < kSpawnIntervals; ++i)
      intervals_[i] += counters.spawn_intervals[i].read();
  }
  /// What is no sum. Of the sampled intervals: what four of five are below, the middle of that
  /// class. A recursion that divides spawns twice in a row before each second leaf, so not the
  /// median.
  void write(Summary &summary) const {
    summary.longest_path_ns = longest_ns_ == kUnknownLength ? 0 : longest_ns_;
    for (const std::uint64_t count : intervals_) summary.spawn_samples += count;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kSpawnIntervals && summary.spawn_samples > 0; ++i) {
      below += intervals_[i];
      if (5 * below < 4 * summary.spawn_samples) continue;
      summary.spawn_interval_ns = i == 0 ? 0 : (std::uint64_t{3} << i) / 4;
      return;
    }
  }

 private:
  Snapshot &snapshot_;
  const std::uint64_t now_;
  Intervals intervals_{};
  std::uint64_t longest_ns_ = 0;
};

class SiteReader final : public SiteVisitor {
 public:
  void site(const nopal_site &site) override {
    const Location location{site.file != nullptr ? site.file : "?", site.line, site.column,
                            site.function != nullptr ? site.function : "?", site.index};
    Numbers &numbers = sites_[location];
    numbers.steals += __atomic_load_n(site.steals, __ATOMIC_RELAXED);  // a counter of the thieves
    alone_ns_ += site_times().alone_ns(&site);
    for (const SiteField &field : kSiteFields) {
      std::uint64_t &sum = numbers.times[static_cast<std::size_t>(field.time)];
      const std::uint64_t ns = site_times().read(&site, field.time);
      sum = field.time == SiteTime::kAloneLongest ? std::max(sum, ns) : sum + ns;
    }
  }
  std::uint64_t alone_ns() const { return alone_ns_; }
  void write(Snapshot &snapshot) const {
    std::vector<std::pair<cilk::site_row, Times>> rows;
    for (const auto &[location, numbers] : sites_) {
      const auto &[file, line, column, function, index] = location;
      rows.push_back({{demangled(function.c_str()), file, line, column, index, numbers.steals},
                      numbers.times});
    }
    const auto rank = [](const cilk::site_row &row) {
      return std::tuple(~row.steals, std::string_view(row.file), row.line, row.column,
                        std::string_view(row.function), row.index);
    };
    std::sort(rows.begin(), rows.end(),
              [rank](const auto &a, const auto &b) { return rank(a.first) < rank(b.first); });
    for (auto &[row, times] : rows) {
      snapshot.sites.push_back(std::move(row));
      snapshot.site_times.push_back(times);
    }
  }

 private:
  using Location = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string,
                              std::uint32_t>;  // file to function, index
  using Times = std::array<std::uint64_t, kSiteTimes>;
  struct Numbers {
    std::uint64_t steals = 0;
    Times times{};
  };
  std::map<Location, Numbers> sites_;
  std::uint64_t alone_ns_ = 0;
};

cilk::segment_statistics read_segments(std::size_t workers) {
  const cactus::Accounting accounting = cactus::accounting();
  const cactus::Resident resident = cactus::resident();
  cilk::segment_statistics segments{};
  segments.size_bytes = config().segment_size_bytes;
  segments.in_use = accounting.in_use;
  segments.peak_in_use = accounting.peak_in_use;
  segments.reserved = accounting.reserved;
  segments.peak_reserved = accounting.peak_reserved;
  segments.reserved_bytes = accounting.reserved_bytes;
  segments.resident_bytes = resident.in_use_bytes + resident.idle_bytes;
  segments.maps = accounting.maps;
  segments.decommits = accounting.decommits;
  segments.measurements = cactus::measurements();
  segments.deepest_path_bytes = cactus::deepest_path();
  segments.space_bound_bytes = segments.deepest_path_bytes * workers;
  return segments;
}

}  // namespace

const std::array<CountField, 23> kCountFields{{
    {"working_ns", "working/ms", &Counts::working_ns, false, true, CountTable::kWorkers},
    {"working_cpu_ns", "cpu/ms", &Counts::working_cpu_ns, false, true, CountTable::kWorkers},
    {"stealing_ns", "stealing/ms", &Counts::stealing_ns, false, true, CountTable::kWorkers},
    {"parked_ns", "parked/ms", &Counts::parked_ns, false, true, CountTable::kWorkers},
    {"steals", "steals", &Counts::steals, false, false, CountTable::kWorkers},
    {"steal_attempts", "attempts", &Counts::steal_attempts, false, false, CountTable::kWorkers},
    {"failed_empty", "empty", &Counts::failed_empty, false, false, CountTable::kWorkers},
    {"failed_lost_race", "lost race", &Counts::failed_lost_race, false, false,
     CountTable::kWorkers},
    {"suspends", "suspends", &Counts::suspends, false, false, CountTable::kWorkers},
    {"resumes", "resumes", &Counts::resumes, false, false, CountTable::kWorkers},
    {"deque_depth_peak", "deque peak", &Counts::deque_depth_peak, true, false,
     CountTable::kWorkers},
    {"parks", "parks", &Counts::parks, false, false, CountTable::kWorkers},
    {"failed_others_work", "others' work", &Counts::failed_others_work, false, false,
     CountTable::kPolicy},
    {"steal_backs", "steal-backs", &Counts::steal_backs, false, false, CountTable::kPolicy},
    {"hash_hits", "hash hits", &Counts::hash_hits, false, false, CountTable::kPolicy},
    {"taken_along", "taken along", &Counts::taken_along, false, false, CountTable::kPolicy},
    {"steals_nearest", "nearest", &Counts::steals_nearest, false, false, CountTable::kPolicy},
    {"steals_near", "near", &Counts::steals_near, false, false, CountTable::kPolicy},
    {"steals_far", "far", &Counts::steals_far, false, false, CountTable::kPolicy},
    {"steals_farthest", "farthest", &Counts::steals_farthest, false, false, CountTable::kPolicy},
    {"views_created", "views", &Counts::views_created, false, false, CountTable::kViews},
    {"views_merged", "merged", &Counts::views_merged, false, false, CountTable::kViews},
    {"views_peak", "views peak", &Counts::views_peak, true, false, CountTable::kViews},
}};

const std::array<SummaryField, 17> kSummaryFields{{
    {"processors", &Summary::processors},
    {"before_start_ns", &Summary::before_start_ns},
    {"none_working_ns", &Summary::none_working_ns},
    {"one_working_ns", &Summary::one_working_ns},
    {"after_last_join_ns", &Summary::after_last_join_ns},
    {"alone_ns", &Summary::alone_ns},
    {"working_wait_ns", &Summary::working_wait_ns},
    {"idle_wait_ns", &Summary::idle_wait_ns},
    {"lone_looks", &Summary::lone_looks},
    {"lone_looks_at_spawns", &Summary::lone_looks_at_spawns},
    {"spawn_samples", &Summary::spawn_samples},
    {"spawn_interval_ns", &Summary::spawn_interval_ns},
    {"strands_ns", &Summary::strands_ns},
    {"longest_path_ns", &Summary::longest_path_ns},
    {"blocked_ns", &Summary::blocked_ns},
    {"hungry_ns", &Summary::hungry_ns},
    {"hungry_error_ns", &Summary::hungry_error_ns},
}};

const std::array<SiteField, kSiteTimes> kSiteFields{{
    {"work_ns", "work/ms", SiteTime::kWork},
    {"stolen_ns", "below/ms", SiteTime::kStolen},
    {"alone_child_ns", nullptr, SiteTime::kAloneChild},
    {"alone_continuation_ns", nullptr, SiteTime::kAloneContinuation},
    {"alone_before_ns", nullptr, SiteTime::kAloneBefore},
    {"alone_longest_ns", nullptr, SiteTime::kAloneLongest},
}};

const std::array<StackField, 6> kStackFields{{
    {"live_bytes", "live", &cilk::stack_statistics::live_bytes},
    {"resident_bytes", "resident", &cilk::stack_statistics::resident_bytes},
    {"segment_bytes", "reserved", &cilk::stack_statistics::segment_bytes},
    {"peak_live_bytes", "peak live", &cilk::stack_statistics::peak_live_bytes},
    {"peak_resident_bytes", "peak resident", &cilk::stack_statistics::peak_resident_bytes},
    {"peak_segment_bytes", "peak reserved", &cilk::stack_statistics::peak_segment_bytes},
}};

const std::array<SegmentField, 12> kSegmentFields{{
    {"size_bytes", &cilk::segment_statistics::size_bytes},
    {"in_use", &cilk::segment_statistics::in_use},
    {"peak_in_use", &cilk::segment_statistics::peak_in_use},
    {"reserved", &cilk::segment_statistics::reserved},
    {"peak_reserved", &cilk::segment_statistics::peak_reserved},
    {"reserved_bytes", &cilk::segment_statistics::reserved_bytes},
    {"resident_bytes", &cilk::segment_statistics::resident_bytes},
    {"maps", &cilk::segment_statistics::maps},
    {"decommits", &cilk::segment_statistics::decommits},
    {"measurements", &cilk::segment_statistics::measurements},
    {"deepest_path_bytes", &cilk::segment_statistics::deepest_path_bytes},
    {"space_bound_bytes", &cilk::segment_statistics::space_bound_bytes},
}};

static_assert(sizeof(cilk::worker_statistics) == sizeof(std::uint64_t) * 23 &&
                  sizeof(cilk::segment_statistics) == sizeof(std::uint64_t) * 12 &&
                  sizeof(cilk::stack_statistics) == sizeof(std::uint64_t) * 6,
              "the lists above are complete");

Snapshot take_snapshot(const Source *source, std::uint64_t started_ns,
                       std::uint64_t waited_before_ns) {
  Snapshot snapshot;
  const std::uint64_t now = now_ns();
  snapshot.nworkers = config().nworkers;
  snapshot.elapsed_ns = started_ns == 0 ? 0 : now - started_ns;
  const Busy::Periods periods = busy().read(now);
  const std::uint64_t waited = source == nullptr ? 0 : source->charge_caller(periods.last_ns, now);
  snapshot.summary.processors = config().processors;
  const std::uint64_t before_ns = started_ns - std::min(started_ns, loaded_ns);
  snapshot.summary.before_start_ns = before_ns - std::min(before_ns, waited_before_ns);
  snapshot.summary.none_working_ns = periods.none_ns;
  snapshot.summary.one_working_ns = periods.alone_ns;
  snapshot.summary.after_last_join_ns = periods.last_ns - std::min(periods.last_ns, waited);
  snapshot.summary.lone_looks = lone_spawns().looks.read();
  snapshot.summary.lone_looks_at_spawns = lone_spawns().spawning.read();
  snapshot.summary.hungry_ns = hunger().ns.read();
  snapshot.summary.hungry_error_ns = hunger().error_ns.read();
  cactus::measure();
  if (source != nullptr) {
    WorkerReader workers(snapshot, now);
    source->visit_workers(workers);
    workers.write(snapshot.summary);
    for (std::vector<std::uint64_t> &row : snapshot.steals_from)
      row.resize(std::min(kVictims, snapshot.workers.size()));
    SiteReader sites;
    source->visit_sites(sites);
    sites.write(snapshot);
    snapshot.summary.alone_ns =
        snapshot.summary.after_last_join_ns + site_times().alone_ns(nullptr) + sites.alone_ns();
  }
  snapshot.stacks = read(cactus::usage());
  snapshot.segments =
      read_segments(std::max<std::size_t>(snapshot.workers.size(), snapshot.nworkers));
  return snapshot;
}

}  // namespace nopal::stats
