// See estimate.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate.h"

#include "spawn_cost.h"

#include <algorithm>
#include <cstdint>

namespace nopal::stats {

namespace {

// Two runs of a program take as much more or less processor time. With none, a hundredth more would
// be outside; with four times as much, parallelism is known up to a factor of two at best.
constexpr double kMachine = 0.05;
// From a steal or a join to the strand that follows, no strand runs, and the sampler may look then.
constexpr double kSwitchNs = 5'000;
// Standard errors of the hungry time that are taken off: one sum in forty is further off.
constexpr double kErrors = 2;
// A smaller part of the run than that may be switches and not hunger.
constexpr double kLeastSpan = 0.01;

double ns(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace

Estimate estimate(const Snapshot &s) {
  const Summary &all = s.summary;
  if (all.strands_ns == 0 || all.longest_path_ns == 0) return {};
  const double before = ns(all.before_start_ns);
  const double blocked = ns(all.blocked_ns);  // all of it may lie on the longest path
  const double without_spawns = 1 - share_of_spawns(all);
  Estimate found;
  found.work_ns = {(1 - kMachine) * without_spawns * (ns(all.strands_ns) + before),
                   (1 + kMachine) * (ns(all.strands_ns) + before + blocked)};
  found.span_ns.most =
      std::min(found.work_ns.most, (1 + kMachine) * (ns(all.longest_path_ns) + before + blocked));
  // Strands may have waited while others hungered, and run at full speed before and after.
  const double hungry = ns(all.hungry_ns) - kErrors * ns(all.hungry_error_ns) -
                        kSwitchNs * ns(s.total.steals) - blocked;
  found.span_ns.least = (1 - kMachine) * without_spawns * (std::max(0.0, hungry) + before);
  if (s.nworkers < 2) return found;
  found.parallelism.least = std::max(1.0, found.work_ns.least / found.span_ns.most);
  if (found.span_ns.least >= kLeastSpan * ns(s.elapsed_ns))
    found.parallelism.most =
        std::max(found.parallelism.least, found.work_ns.most / found.span_ns.least);
  return found;
}

}  // namespace nopal::stats
