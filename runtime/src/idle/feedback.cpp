// See feedback.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "feedback.h"

#include "../config/config.h"
#include "../platform/clock.h"
#include "../worker/registry.h"
#include "constants.h"
#include "turns.h"

namespace nopal {
namespace {

Usage usage() noexcept {
  Usage usage;
  usage.now_ns = now_ns();
  // Others who need the machine have their turn: they are no reason to ask for less.
  const bool waits_count = turns::has_others();
  for (std::uint32_t index = 0, workers = registry().count(); index < workers; ++index) {
    Worker &worker = registry().worker(index);
    const stats::WorkerCounters &counters = worker.counters;
    usage.working_ns += counters.time_ns(stats::Activity::kWorking, usage.now_ns);
    usage.searching_ns += counters.time_ns(stats::Activity::kStealing, usage.now_ns);
    usage.used_ns += worker.used_time.add_until(usage.now_ns, counters, waits_count);
  }
  usage.late_ns = feedback()->late_ns();
  return usage;
}

}  // namespace

Feedback *feedback() noexcept {
  if (config().adapt == Config::Adapt::kNo) return nullptr;
  // Workers of further threads of the program are not counted: their number is not known before.
  // Only workers that are awake count as given, so a stricter delta than A-STEAL's usual 0.8.
  static Feedback the_feedback({.delta = 0.9, .longest_wait = kMostRests}, most_desired());
  return &the_feedback;
}

void end_quantum_if_over(Feedback &feedback) noexcept {
  feedback.end_quantum_if_over(now_ns(), usage);
}

}  // namespace nopal
