// See stats_source.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stats_source.h"

#include "../frame/sites.h"
#include "../worker/activity.h"
#include "../worker/machine.h"
#include "../worker/registry.h"

namespace nopal {
namespace {

class SchedulerSource final : public stats::Source {
 public:
  void visit_workers(stats::WorkerVisitor &visitor) const override {
    const std::uint32_t workers = registry().count();
    for (std::uint32_t index = 0; index < workers; ++index) {
      Worker &worker = registry().worker(index);
      // The deque keeps this one, where it costs nothing. Each visitor copies it: the same number,
      // or a later one.
      worker.counters.deque_depth_peak.set(
          static_cast<std::uint64_t>(worker.deque.steal().peak_depth()));
      visitor.worker(index, worker.kind, worker.counters, worker.stacks);
    }
  }

  std::uint64_t charge_caller(std::uint64_t ns, std::uint64_t now_ns) const override {
    Worker *worker = this_thread().worker;
    if (worker == nullptr) return 0;
    const std::uint64_t waited = worker->counters.waited_within(ns, now_ns);
    worker->counters.charge_cpu(now_ns);
    if (stats::Strand &strand = worker->counters.strand; strand.is_running()) {
      activity::charge_work(*worker, strand.end());
      worker->counters.go_on();
    }
    return waited;
  }

  void visit_sites(stats::SiteVisitor &visitor) const override { nopal::visit_sites(visitor); }

  const char *topology() const override {
    const Machine &found = machine(false);  // made at the start
    return found.is_asked_for ? found.description.c_str() : nullptr;
  }
};

constexpr SchedulerSource the_source;

}  // namespace

const stats::Source &stats_source() noexcept { return the_source; }

}  // namespace nopal
