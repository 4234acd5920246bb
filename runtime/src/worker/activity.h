// What a worker does from now on, told to the statistics and the trace: the one place where an
// activity or a strand begins or ends, or the worker waits in it.
//
// A *strand* here is what a worker runs between two of these calls, with its waits for a turn. All
// are cold: at steals, joins, resumed stacks, parks and those waits. Called by idle, process and
// scheduler. What the times mean: stats/README.md. Checked by tests/unit/stats_test.cpp and
// tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_ACTIVITY_H
#define NOPAL_WORKER_ACTIVITY_H

#include "../frame/join.h"
#include "../frame/sites.h"
#include "../stats/busy.h"
#include "../stats/site_times.h"
#include "worker.h"

#include <algorithm>

namespace nopal::activity {

/// The worker runs the stolen continuation of `site` from now on, or, if that is null, what stood
/// on a stack already. Owner only. Returns the site of the strand that ends.
inline const nopal_site *begin_strand(Worker &worker, const nopal_site *site,
                                      std::uint64_t now) noexcept {
  const nopal_site *const before = worker.strand_site;
  if (before != nullptr && now > worker.strand_since_ns)
    stats::site_times().add(before, stats::SiteTime::kStolen, now - worker.strand_since_ns);
  worker.strand_site = site;
  worker.strand_since_ns = now;
  worker.sampled_at_ns = 0;
  return before;
}
inline const nopal_site *begin_strand(Worker &worker, const nopal_site *site) noexcept {
  return begin_strand(worker, site, now_ns());
}
inline void begin_continuation(Worker &worker, const nopal_site &site) noexcept {
  const std::uint64_t now = now_ns();
  begin_strand(worker, &site, now);
  worker.work_site = &site;
  worker.counters.begin_strand(worker.counters.strand.taken());
  worker.track.note(trace::Kind::kContinues, now, &site);
}

constexpr trace::Kind traced(stats::Activity activity) noexcept {
  switch (activity) {
    case stats::Activity::kIdle:
      return trace::Kind::kNoThread;
    case stats::Activity::kWorking:
      return trace::Kind::kProgram;
    case stats::Activity::kStealing:
      return trace::Kind::kSearches;
    case stats::Activity::kParked:
      return trace::Kind::kParked;
  }
  __builtin_unreachable();
}

/// The worker does something else from `now` on. `stolen`: it has found the continuation of this
/// site. Owner only.
inline void change(Worker &worker, stats::Activity next, std::uint64_t now,
                   const nopal_site *stolen = nullptr) noexcept {
  using stats::Activity;
  const bool worked = worker.counters.activity() == Activity::kWorking;
  stats::WorkerCounters &counters = worker.counters;
  counters.charge_cpu(now);
  counters.enter(next, now);
  if (next != Activity::kWorking) worker.track.note(traced(next), now);
  if (worked && next != Activity::kWorking) {
    counters.strand.end();
    begin_strand(worker, nullptr, now);
    worker.idle_wait_before_ns = counters.idle_wait_ns.read();
    if (const std::uint64_t ns = stats::busy().ends(now); ns != 0)
      stats::site_times().add(nullptr, stats::SiteTime::kAloneChild, ns);
  } else if (!worked && next == Activity::kWorking) {
    // Not while it would have come, had it had a processor; and not while the victim had none.
    if (const std::uint64_t ns = stats::busy().begins(now); ns != 0) {
      std::uint64_t waited = counters.idle_wait_ns.read() - worker.idle_wait_before_ns;
      if (stolen != nullptr && worker.victim != nullptr)
        waited += worker.victim->waited_within(ns, now);
      stats::site_times().add(stolen, stats::SiteTime::kAloneBefore, ns - std::min(ns, waited));
    }
  }
}

/// The strand of a victim, as the thief reads it with a claim. Cost: some loads.
inline stats::Strand::Begun strand_of(const Worker &victim) noexcept {
  return victim.counters.strand.begun();
}

/// The thief has just taken the continuation in `frame` from the victim, which ran `strand` when it
/// pushed it. The thief only.
inline void steal(Worker &thief, Worker &victim, const stats::Strand::Begun &strand,
                  const nopal_frame *frame) noexcept {
  thief.counters.strand.set_taken(strand.length_now());
  victim.stolen_sites.note(frame, &site_of(frame));
  thief.victim = &victim.counters;
  if (thief.track.is_on())
    thief.track.note(trace::Kind::kSteal, now_ns(), &site_of(frame), victim.index);
}

/// The worker's thread waits at a sync. Owner only.
inline void waits(Worker &worker) noexcept {
  if (worker.track.is_on()) worker.track.note(trace::Kind::kWaits, now_ns());
}
/// It goes on after that of `frame`, which is exclusive. Owner only.
inline void goes_on(Worker &worker, const nopal_frame *frame) noexcept {
  if (worker.track.is_on()) worker.track.note(trace::Kind::kResumed, now_ns(), &site_of(frame));
}
/// It waits for its program's turn from `now` on. Owner only.
inline void waits_for_turn(Worker &worker, std::uint64_t now) noexcept {
  worker.track.note(trace::Kind::kWaitsForTurn, now);
}
/// It has waited since `begun`, and goes on with what it ran. Owner only.
inline void turn_comes(Worker &worker, std::uint64_t begun, std::uint64_t now) noexcept {
  worker.track.note(trace::Kind::kTurnComes, now);
  worker.counters.charge_turn(now - begun);
}
/// A thread of the program has attached. `is_first`: the first one; which path leads to another is
/// not known. Owner only.
inline void attaches(Worker &worker, bool is_first) noexcept {
  const std::uint64_t now = now_ns();
  change(worker, stats::Activity::kWorking, now);
  worker.counters.begin_strand(is_first ? 0 : stats::kUnknownLength);
  worker.track.note(trace::Kind::kProgram, now);
}

/// How long the worker has been alone without the end of a strand, and ran; 0 if it is not alone.
/// Owner only.
inline std::uint64_t alone_strand_ns(Worker &worker) noexcept {
  if (!stats::busy().is_alone()) return 0;
  const std::uint64_t now = now_ns();
  const std::uint64_t ns = stats::busy().goes_on(now);
  return ns - worker.counters.waited_within(ns, now);
}

/// The worker has taken a continuation back that it had pushed between two strands. Owner only.
inline void takes_back(Worker &worker) noexcept {
  worker.counters.strand.set_taken(worker.counters.strand.length_ns());
}

/// The worker's strand has run for `ns` since its beginning or its last pause. Owner only.
inline void charge_work(Worker &worker, std::uint64_t ns) noexcept {
  if (ns != 0) stats::site_times().add(worker.work_site, stats::SiteTime::kWork, ns);
}

/// The worker's strand has come to the join of `frame`. Owner only.
inline void end_strand(Worker &worker, const nopal_frame *frame) noexcept {
  if (!stats::measures_cpu.load(std::memory_order_relaxed)) return;
  stats::Strand &strand = worker.counters.strand;
  charge_work(worker, strand.end());
  stats::joined_paths().raise(frame, strand.length_ns());
}

/// All have joined `frame`, and the worker goes on after the sync. Owner only.
inline void all_joined(Worker &worker, const nopal_frame *frame) noexcept {
  if (!stats::measures_cpu.load(std::memory_order_relaxed)) return;
  worker.work_site = &site_of(frame);
  worker.counters.begin_strand(stats::joined_paths().take(frame));
}

/// A child of `frame` is done, whose continuation was stolen; it has not joined yet.
inline void child_ends(Worker &worker, nopal_frame *frame) noexcept {
  end_strand(worker, frame);
  const std::uint64_t ns = alone_strand_ns(worker);
  if (ns == 0) return;
  const nopal_site *site = worker.stolen_sites.find(frame);
  if (site == nullptr && FrameJoin::is_only_child_left(frame)) site = &site_of(frame);
  stats::site_times().add_alone_strand(site, stats::SiteTime::kAloneChild, ns);
}

/// A stolen continuation has come to the sync of its frame; it has not joined yet.
inline void continuation_ends(Worker &worker, nopal_frame *frame) noexcept {
  end_strand(worker, frame);
  if (const std::uint64_t ns = alone_strand_ns(worker); ns != 0)
    stats::site_times().add_alone_strand(&site_of(frame), stats::SiteTime::kAloneContinuation, ns);
}

// Slow pushes in a row for one sample, and how many of the intervals between them are left out: at
// first the slow path and the sampled code are not in the caches.
constexpr unsigned kSampledPushes = 9;
constexpr unsigned kColdPushes = 4;

/// At the beginning of a slow push at `site`: ends the measurement of a sampled interval, or else
/// pauses the strand. The clock is read twice: what a reading costs at this moment is no part of
/// the interval, and depends on what else runs on the core. Owner only.
inline void push_begins(Worker &worker, const nopal_site &site) noexcept {
  if (worker.sampled_at_ns == 0) {
    charge_work(worker, worker.counters.strand.pause());
    worker.work_site = &site;
    return;
  }
  // What else lies between the two readings and is no part of a fast push.
  constexpr std::uint64_t kWayNs = 10;
  const std::uint64_t now = now_ns();
  const std::uint64_t reading_ns = now_ns() - now;
  const std::uint64_t ns = now - worker.sampled_at_ns;
  worker.sampled_at_ns = 0;
  if (worker.sampled_pushes < kSampledPushes - kColdPushes)
    worker.counters.sample_interval(ns - std::min(ns, reading_ns + kWayNs));
}

/// At the end of a slow push at `site`: if a sample is wanted, the next pushes are slow and make
/// it. Owner only.
inline void push_ends(Worker &worker, const nopal_site &site) noexcept {
  if (worker.sampled_pushes == 0 || !worker.counters.strand.is_running()) worker.counters.go_on();
  if (worker.wants_sample.load(std::memory_order_relaxed)) {  // a hint
    worker.wants_sample.store(false, std::memory_order_relaxed);
    if (stats::measures_cpu.load(std::memory_order_relaxed)) {
      worker.sampled_pushes = kSampledPushes;
      worker.sample_began_ns.set(thread_cpu_ns());
    }
    if (worker.track.is_on())
      worker.track.note(trace::Kind::kSpawn, now_ns(), &site,
                        static_cast<std::uint32_t>(worker.deque.steal().depth()));
  }
  if (worker.sampled_pushes == 0 || worker.deque.every_push_slow) return;
  --worker.sampled_pushes;
  if (worker.sampled_pushes == 0) return;
  worker.deque.make_next_push_slow();
  worker.sampled_at_ns = now_ns();
}

}  // namespace nopal::activity

#endif
