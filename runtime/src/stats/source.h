// What the statistics ask of the runtime: an interface, so that printing knows nothing of workers
// and is tested without them.
//
// Implemented by process/stats_source.cpp; called by stats/snapshot.cpp from any thread and from an
// atexit handler.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_SOURCE_H
#define NOPAL_STATS_SOURCE_H

#include "../../abi/nopal_abi.h"
#include "counters.h"

#include <cactus/measure.h>

namespace nopal::stats {

enum class WorkerKind { kHelper, kAttached };

class WorkerVisitor {
 public:
  virtual void worker(unsigned index, WorkerKind kind, const WorkerCounters &counters,
                      const cactus::Account &stacks) = 0;

 protected:
  ~WorkerVisitor() = default;
};

class SiteVisitor {
 public:
  virtual void site(const nopal_site &site) = 0;

 protected:
  ~SiteVisitor() = default;
};

/// Any thread may call every function while the runtime runs. They must not allocate through the
/// scheduler, nor block on a lock that is held while user code runs.
class Source {
 public:
  /// Every worker that was ever in use, in the order of the indices.
  virtual void visit_workers(WorkerVisitor &visitor) const = 0;
  /// If the caller is a worker, brings its times up to `now_ns`. Returns for how long of the last
  /// `ns` it has waited for a processor.
  virtual std::uint64_t charge_caller(std::uint64_t ns, std::uint64_t now_ns) const = 0;
  /// Every site of each registered module.
  virtual void visit_sites(SiteVisitor &visitor) const = 0;
  /// What is known of the machine's topology, or why it is flat: one line; null if nobody asked.
  virtual const char *topology() const { return nullptr; }

 protected:
  ~Source() = default;
};

/// Makes `source` the one that snapshots read, and installs the atexit handler that prints what
/// CILK_STATS asks for. Called once, at the first start; `source` must live as long as the process.
void install(const Source &source);

}  // namespace nopal::stats

#endif
