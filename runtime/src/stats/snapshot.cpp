// Reads counters, sites and segments. Specified in snapshot.h and docs/statistics.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snapshot.h"

#include "../config/config.h"

#include <cactus/measure.h>
#include <cactus/segment.h>

#include <cxxabi.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

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

std::string demangled(const char *name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  // "i" and the like are mangled types: only what starts like a mangled function was one.
  const bool was_mangled = status == 0 && readable != nullptr && name[0] == '_' && name[1] == 'Z';
  return was_mangled ? readable.get() : name;
}

class WorkerReader final : public WorkerVisitor {
 public:
  WorkerReader(Snapshot &snapshot, std::uint64_t now) : snapshot_(snapshot), now_(now) {}
  void worker(unsigned index, WorkerKind kind, const WorkerCounters &counters,
              const cactus::Account &stacks) override {
    const Counts counts = read(counters, now_);
    snapshot_.workers.push_back(
        {index, kind == WorkerKind::kAttached, counts, read(stacks.usage())});
    for (const CountField &field : kCountFields) {
      std::uint64_t &total = snapshot_.total.*field.value;
      total = field.is_maximum ? std::max(total, counts.*field.value) : total + counts.*field.value;
    }
  }

 private:
  Snapshot &snapshot_;
  const std::uint64_t now_;
};

class SiteReader final : public SiteVisitor {
 public:
  void site(const nopal_site &site) override {
    const Location location{site.file != nullptr ? site.file : "?", site.line, site.column,
                            site.function != nullptr ? site.function : "?", site.index};
    steals_[location] +=
        __atomic_load_n(site.steals, __ATOMIC_RELAXED);  // a counter of the thieves
  }
  std::vector<cilk::site_row> rows() const {
    std::vector<cilk::site_row> rows;
    for (const auto &[location, steals] : steals_) {
      const auto &[file, line, column, function, index] = location;
      rows.push_back({demangled(function.c_str()), file, line, column, index, steals});
    }
    const auto rank = [](const cilk::site_row &row) {
      return std::tuple(~row.steals, std::string_view(row.file), row.line, row.column,
                        std::string_view(row.function), row.index);
    };
    std::sort(rows.begin(), rows.end(), [rank](const cilk::site_row &a, const cilk::site_row &b) {
      return rank(a) < rank(b);
    });
    return rows;
  }

 private:
  using Location = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string,
                              std::uint32_t>;  // file to function, index
  std::map<Location, std::uint64_t> steals_;
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

const std::array<CountField, 22> kCountFields{{
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
    {"working_ns", "working/ms", &Counts::working_ns, false, true, CountTable::kWorkers},
    {"stealing_ns", "stealing/ms", &Counts::stealing_ns, false, true, CountTable::kWorkers},
    {"parked_ns", "parked/ms", &Counts::parked_ns, false, true, CountTable::kWorkers},
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

static_assert(sizeof(cilk::worker_statistics) == sizeof(std::uint64_t) * 22 &&
                  sizeof(cilk::segment_statistics) == sizeof(std::uint64_t) * 12 &&
                  sizeof(cilk::stack_statistics) == sizeof(std::uint64_t) * 6,
              "the lists above are complete");

Snapshot take_snapshot(const Source *source, std::uint64_t started_ns) {
  Snapshot snapshot;
  const std::uint64_t now = now_ns();
  snapshot.nworkers = config().nworkers;
  snapshot.elapsed_ns = started_ns == 0 ? 0 : now - started_ns;
  cactus::measure();
  if (source != nullptr) {
    WorkerReader workers(snapshot, now);
    source->visit_workers(workers);
    SiteReader sites;
    source->visit_sites(sites);
    snapshot.sites = sites.rows();
  }
  snapshot.stacks = read(cactus::usage());
  snapshot.segments =
      read_segments(std::max<std::size_t>(snapshot.workers.size(), snapshot.nworkers));
  return snapshot;
}

}  // namespace nopal::stats
