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
#include "../stats/counters.h"
#include "../stats/source.h"
#include "random.h"
#include "sleeper.h"
#include "steal_backoff.h"
#include "victim.h"

#include <cactus/deferred_trim.h>
#include <cactus/measure.h>
#include <cactus/segment.h>

#include <atomic>
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
    void *deque_memory;  // ContinuationDeque::allocate_first() for this fence
  };

  Worker(Options options, cactus::SegmentPool &pool)
      : nopal_worker{ContinuationDeque(options.fence, ContinuationDeque::kDefaultCapacity,
                                       options.deque_memory)},
        index(options.index),
        kind(options.kind),
        victims(options.index, 0),
        chaos_random(options.chaos_seed + options.index),
        segments(pool) {}

  /// Sends the next push into the slow path, which starts the helpers that stop() has ended. Owner
  /// only.
  void restart_at_next_push() noexcept {
    restarts_helpers = true;
    deque.make_next_push_slow();
  }

  // Constant.
  const std::uint32_t index;
  const stats::WorkerKind
      kind;  // what it was made for; workers change hands between helpers and attached threads

  // The owner writes, with an empty deque; thieves read with a claim (frame/path.h). Relaxed. The
  // floating_point_control() of the work in the deque.
  std::atomic<std::uint64_t> floating_point{0};
  PublishedPath path;  // the same: where that work lies

  // Owner only.
  Victims victims;
  StealBackoff backoff;
  Random chaos_random;
  std::uint32_t chaos_pause = 0;  // pushes until a segment is asked for again
  cactus::SegmentCache segments;
  cactus::Account stacks;              // the bytes of the stacks that it runs or keeps
  cactus::DeferredTrim deferred_trim;  // of the stack that it left
  nopal_frame *resumes =
      nullptr;                // exclusive: the next helper that runs this worker resumes it first
  bool is_searching = false;  // from its start, if its starter has counted it so in Sleep
  bool restarts_helpers = false;  // see restart_at_next_push

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
