/* What the scheduler did so far, read by the program itself: the numbers that CILK_STATS prints at
 * exit.
 *
 * C++17. Meaning and unit of every number, and what is not counted: docs/statistics.md. The
 * structures with plain numbers cross the library's boundary; the containers are built in the
 * including program. With CILK_SERIAL defined the statistics are those of one worker that has done
 * nothing but work, all zero, and no library is needed. Checked by tests/unit/stats_test.cpp.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_STATISTICS_H
#define CILK_STATISTICS_H

#ifndef __cplusplus
#error "<cilk/statistics.h> is for C++; C programs can use the environment variable CILK_STATS"
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cilk {

/// One worker's counts since the runtime started. A worker is a slot: its thread may change, its
/// counts stay.
struct worker_statistics {
  std::uint64_t steals;            ///< continuations that this worker took from another (or, under
                                   ///< CILK_CHAOS, from itself)
  std::uint64_t steal_attempts;    ///< victims that it looked at
  std::uint64_t failed_empty;      ///< attempts that found nothing
  std::uint64_t failed_lost_race;  ///< attempts that another thief or the owner won
  std::uint64_t suspends;          ///< stacks that it left because their continuation was stolen
  std::uint64_t resumes;           ///< suspended stacks that it went on with
  std::uint64_t deque_depth_peak;  ///< most stealable continuations that its deque ever held
  std::uint64_t parks;             ///< times that it went to sleep
  std::uint64_t working_ns;        ///< time in the program's code
  std::uint64_t stealing_ns;       ///< time in search of work
  std::uint64_t parked_ns;         ///< time asleep
  std::uint64_t failed_others_work;  ///< attempts to take back own work that found another's
  std::uint64_t steal_backs;         ///< steals of the worker's own work from its helpers
  std::uint64_t hash_hits;           ///< steals from a worker of an owner that was drawn
  std::uint64_t taken_along;         ///< continuations that came with another at one steal
  std::uint64_t steals_nearest;      ///< steals within the smallest group of the topology
  std::uint64_t steals_near;         ///< within the next larger one
  std::uint64_t steals_far;          ///< within the one after that
  std::uint64_t steals_farthest;     ///< beyond
  std::uint64_t views_created;       ///< views of hyperobjects, each at a first use after a steal
  std::uint64_t views_merged;        ///< views that it reduced into another one
  std::uint64_t views_peak;  ///< most views that lived at once in the process, when it created one
  std::uint64_t working_cpu_ns;  ///< processor time of working_ns; 0 without CILK_STATS
};

/// Bytes of stacks. Of one worker: those that it runs, ran last, or keeps for the next. Exact if
/// CILK_STACK_PEAK=exact, see docs/statistics.md; without it and CILK_STATS the peaks are those of
/// the moments at which the statistics were read.
struct stack_statistics {
  std::uint64_t live_bytes;  ///< in frames: from a suspended stack's pointer up, and all that is
                             ///< resident of a running one
  std::uint64_t resident_bytes;  ///< memory that they hold
  std::uint64_t
      segment_bytes;  ///< reserved for those of them that are segments, without guard zones
  std::uint64_t peak_live_bytes;      ///< most at once
  std::uint64_t peak_resident_bytes;  ///< most at once
  std::uint64_t peak_segment_bytes;   ///< most at once
};

/// The stack segments of the process, and what bounds them.
struct segment_statistics {
  std::uint64_t size_bytes;          ///< reserved size of one, without its guard zone
  std::uint64_t in_use;              ///< now
  std::uint64_t peak_in_use;         ///< most at once
  std::uint64_t reserved;            ///< mapped now, in use or not
  std::uint64_t peak_reserved;       ///< most at once
  std::uint64_t reserved_bytes;      ///< address space that these take, guard zones included
  std::uint64_t resident_bytes;      ///< memory that these hold now
  std::uint64_t maps;                ///< segments ever mapped
  std::uint64_t decommits;           ///< times that memory was returned to the system
  std::uint64_t measurements;        ///< times that the bytes of all stacks were measured
  std::uint64_t deepest_path_bytes;  ///< most that a path from the root to a leaf was seen to hold:
                                     ///< the serial program's space
  std::uint64_t space_bound_bytes;   ///< that times the number of workers: the main term of the
                                     ///< bound of resident stacks
};

struct worker_row {
  unsigned index;
  bool is_attached;  ///< made for a thread of the program; else for one of the runtime's own
  worker_statistics counts;
  stack_statistics stacks;
};

/// One cilk_spawn (or cilk_for) in the program's text. Its copies in several modules, and instances
/// with one name, are added up.
struct site_row {
  std::string function;  ///< demangled
  std::string file;
  std::uint32_t line;  ///< 0 if the module was compiled without -g
  std::uint32_t column;
  std::uint32_t index;   ///< tells the sites of one function apart
  std::uint64_t steals;  ///< times that its continuation was stolen
};

struct statistics {
  unsigned nworkers = 0;
  std::uint64_t elapsed_ns = 0;  ///< since the runtime started; 0 if it did not
  std::vector<worker_row> workers;
  worker_statistics total{};  ///< sums over the workers; the highest deque_depth_peak
  stack_statistics stacks{};  ///< of all workers together; peaks are of the sum, not sums of peaks
  segment_statistics segments{};
  std::vector<site_row>
      sites;  ///< all sites of all loaded modules; most steals first, then by file, line and column
};

/// Reads the statistics. Any thread, at any time; before the runtime's start there are no workers.
/// Each number is exact at some instant during the call, and all are final for work that has been
/// synced. Errors: std::bad_alloc. Cost: grows with workers, sites and mapped segments; about 100
/// us for a small program. It slows nobody else down. Example: docs/statistics.md.
statistics read_statistics();

#ifdef CILK_SERIAL

inline statistics read_statistics() {
  statistics result;
  result.nworkers = 1;
  return result;
}

#else

namespace detail {

/// What the library hands out, a piece at a time.
struct statistics_receiver {
  void (*overall)(void *into, unsigned nworkers, std::uint64_t elapsed_ns,
                  const worker_statistics &total, const stack_statistics &stacks,
                  const segment_statistics &segments);
  void (*worker)(void *into, unsigned index, bool is_attached, const worker_statistics &counts,
                 const stack_statistics &stacks);
  void (*site)(void *into, const char *function, const char *file, std::uint32_t line,
               std::uint32_t column, std::uint32_t index, std::uint64_t steals);
};

extern "C" void nopal_read_statistics(void *into, const statistics_receiver *receiver);

}  // namespace detail

inline statistics read_statistics() {
  detail::statistics_receiver receiver{};
  receiver.overall = [](void *into, unsigned nworkers, std::uint64_t elapsed_ns,
                        const worker_statistics &total, const stack_statistics &stacks,
                        const segment_statistics &segments) {
    auto &result = *static_cast<statistics *>(into);
    result.nworkers = nworkers;
    result.elapsed_ns = elapsed_ns;
    result.total = total;
    result.stacks = stacks;
    result.segments = segments;
  };
  receiver.worker = [](void *into, unsigned index, bool is_attached,
                       const worker_statistics &counts, const stack_statistics &stacks) {
    static_cast<statistics *>(into)->workers.push_back({index, is_attached, counts, stacks});
  };
  receiver.site = [](void *into, const char *function, const char *file, std::uint32_t line,
                     std::uint32_t column, std::uint32_t index, std::uint64_t steals) {
    static_cast<statistics *>(into)->sites.push_back({function, file, line, column, index, steals});
  };
  statistics result;
  detail::nopal_read_statistics(&result, &receiver);
  return result;
}

#endif  // CILK_SERIAL

namespace detail {

/// What adds up over time; the other two members are the highest values so far.
inline constexpr std::uint64_t worker_statistics::*summed_counts[] = {
    &worker_statistics::steals,
    &worker_statistics::steal_attempts,
    &worker_statistics::failed_empty,
    &worker_statistics::failed_lost_race,
    &worker_statistics::suspends,
    &worker_statistics::resumes,
    &worker_statistics::parks,
    &worker_statistics::working_ns,
    &worker_statistics::stealing_ns,
    &worker_statistics::parked_ns,
    &worker_statistics::failed_others_work,
    &worker_statistics::steal_backs,
    &worker_statistics::hash_hits,
    &worker_statistics::taken_along,
    &worker_statistics::steals_nearest,
    &worker_statistics::steals_near,
    &worker_statistics::steals_far,
    &worker_statistics::steals_farthest,
    &worker_statistics::views_created,
    &worker_statistics::views_merged,
    &worker_statistics::working_cpu_ns,
};
static_assert(sizeof(worker_statistics) ==
                  sizeof(std::uint64_t) * (2 + sizeof(summed_counts) / sizeof(*summed_counts)),
              "the list is complete");

inline void subtract(worker_statistics &after, const worker_statistics &before) {
  for (const auto count : summed_counts) after.*count -= before.*count;
}

}  // namespace detail

/// What happened between two readings: `after` with its counts and times less those of `before`.
/// What is no sum stays as `after` has it: bytes of stacks, segments in use, and peaks, which are
/// those since the start. Any thread. Errors: std::bad_alloc. Cost: grows with workers times
/// workers and sites times sites.
inline statistics difference(const statistics &before, statistics after) {
  after.elapsed_ns -= before.elapsed_ns;
  detail::subtract(after.total, before.total);
  after.segments.maps -= before.segments.maps;
  after.segments.decommits -= before.segments.decommits;
  after.segments.measurements -= before.segments.measurements;
  for (worker_row &row : after.workers)
    for (const worker_row &old : before.workers)
      if (old.index == row.index) detail::subtract(row.counts, old.counts);
  for (site_row &row : after.sites)
    for (const site_row &old : before.sites)
      if (old.line == row.line && old.column == row.column && old.index == row.index &&
          old.function == row.function && old.file == row.file)
        row.steals -= old.steals;
  return after;
}

}  // namespace cilk

#endif
