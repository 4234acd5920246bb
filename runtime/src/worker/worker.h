// A worker: the right to run, with what that takes. Workers and threads: runtime/README.md.
//
// Made by WorkerRegistry, never freed. "Owner" is the thread that holds the worker now; a hand-over
// is a happens-before edge (Thread::grant). Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_WORKER_H
#define NOPAL_WORKER_WORKER_H

#include "../../fastpath/fastpath.h"
#include "../deque/deque.h"
#include "../frame/path.h"
#include "../hyper/current.h"
#include "../policy/patience.h"
#include "../stats/counters.h"
#include "../stats/source.h"
#include "../trace/track.h"
#include "batch.h"
#include "random.h"
#include "sleeper.h"
#include "standstill.h"
#include "stolen_sites.h"
#include "used_time.h"
#include "victims.h"

#include <cactus/deferred_trim.h>
#include <cactus/measure.h>
#include <cactus/segment.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <type_traits>

/// The part that the fast path knows. The outsider is only this.
struct nopal_worker {
  nopal::ContinuationDeque deque;
};

namespace nopal {

struct alignas(64) Worker : nopal_worker {
  struct Options {
    std::uint32_t index;
    stats::WorkerKind kind;
    FenceMode fence;
    std::uint64_t chaos_seed;
    const std::atomic<std::uint32_t> &count;  // of workers
    void *deque_memory;                       // ContinuationDeque::allocate_first() for this fence
    trace::Ring *ring = nullptr;              // of the trace
  };

  Worker(Options options, cactus::SegmentPool &pool)
      : nopal_worker{ContinuationDeque(options.fence, ContinuationDeque::kDefaultCapacity,
                                       options.deque_memory)},
        index(options.index),
        kind(options.kind),
        victims(options.index, options.count),
        chaos_random(options.chaos_seed + options.index),
        segments(pool),
        views(counters),
        track(options.ring) {}

  /// Sends the next push into the slow path, which starts the helpers that stop() has ended. Owner
  /// only.
  void restart_at_next_push() noexcept {
    restarts_helpers = true;
    deque.make_next_push_slow();
  }

  /// Whose work this worker runs from now on; Mark(): none, since it has no path. Tells the policy.
  /// Owner only. Cost: a load, if the policy has no owners.
  void run_path_of(policy::Mark next) noexcept {
    if (!victims.has_owners()) return;
    const policy::Mark before = own_mark();
    if (before.bits() == next.bits()) return;
    assert(next.owner() == policy::kNobody || next.owner() < victims.environment().most_workers());
    mark.store(next.bits(), std::memory_order_relaxed);
    victims.ask([before, next](auto &policy) {
      if (before.owner() != policy::kNobody) policy.path_ends(before);
      if (next.owner() != policy::kNobody) policy.path_begins(next);
    });
  }
  /// That of the path which it runs. Owner only.
  policy::Mark own_mark() const noexcept {
    return policy::Mark::from_bits(mark.load(std::memory_order_relaxed));
  }
  /// The mark of work that begins here. Owner only.
  policy::Mark root_mark() const noexcept {
    return index < victims.environment().most_workers() ? policy::Mark(index, 0) : policy::Mark();
  }

  // Constant.
  const std::uint32_t index;
  const stats::WorkerKind
      kind;  // what it was made for; workers change hands between helpers and attached threads

  // The owner writes, with an empty deque; thieves read with a claim (frame/path.h). Relaxed. The
  // floating_point_control() of the work in the deque.
  std::atomic<std::uint64_t> floating_point{0};
  PublishedPath path;                                      // the same: where that work lies
  std::atomic<std::uint32_t> mark{policy::Mark().bits()};  // the same: whose it is; a hint

  // Owner only.
  Victims victims;
  Batch batch;
  Random chaos_random;
  std::uint32_t chaos_pause = 0;  // pushes until a segment is asked for again
  cactus::SegmentCache segments;
  cactus::Account stacks;              // the bytes of the stacks that it runs or keeps
  cactus::DeferredTrim deferred_trim;  // of the stack that it left
  hyper::CurrentViews views;           // of the strand that it runs
  trace::Track track;                  // what it notes for the trace
  nopal_frame *resumes =
      nullptr;                // exclusive: the next helper that runs this worker resumes it first
  bool is_searching = false;  // from its start, if its starter has counted it so in Sleep
  bool restarts_helpers = false;      // see restart_at_next_push
  bool was_woken = false;             // since it last worked; else `leaves_more` is not written
  bool leaves_more = false;           // there is more where it stole last
  policy::Patience patience;          // for searches
  std::uint64_t yields_again_ns = 0;  // not before (find_work.cpp, back_off)
  std::uint64_t runs_until_ns = 0;    // whatever the allotment is (idle/turns.cpp)
  std::atomic<bool> waits_for_turn{false};  // its owner writes, relaxed (idle/turns.cpp)
  // For statistics (activity.h):
  const nopal_site *strand_site = nullptr;  // whose stolen continuation it runs; null: another's
  std::uint64_t strand_since_ns = 0;
  const nopal_site *work_site = nullptr;          // what the strand's work counts for
  const stats::WorkerCounters *victim = nullptr;  // of its last steal
  std::uint64_t idle_wait_before_ns = 0;          // counters.idle_wait_ns when it ceased to work
  std::uint64_t sampled_at_ns = 0;  // when a sampled push ended, if the next one measures; or 0
  unsigned sampled_pushes = 0;      // still to come, of one sample
  StolenSites stolen_sites;         // thieves write
  UsedTime used_time;               // who ends a quantum of feedback writes
  Standstill standstill;            // the thread that takes turns writes
  std::atomic<bool> wants_sample{false};  // of its next push; any thread writes, relaxed
  stats::Counter sample_began_ns;         // by the processor clock of its thread then

  Sleeper sleeper;
  Worker *next_unheld = nullptr;  // guarded by WorkerRegistry's mutex

  stats::WorkerCounters counters;  // owner writes, anyone reads
};

static_assert(std::is_standard_layout_v<nopal_worker>,
              "the fast path finds the deque at the worker's address");

/// What nopal_tls_worker points to in a thread that holds no worker.
extern nopal_worker outsider;

}  // namespace nopal

#endif
