// See stats_source.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stats_source.h"

#include "../frame/sites.h"
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
