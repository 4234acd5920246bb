// Work, span and parallelism of the program, as far as one run shows: each between two numbers.
//
//     work   >=  time of all strands, without what spawns cost
//     work   <=  time of all strands
//     span   >=  how far strands came while some worker found no work (hunger.h), less its error
//                 and the waits of strands
//     span   <=  the longest path of the run, where what nobody stole counts as serial (strand.h)
//
// The first two hold up to what the machine does to a strand: caches, the clock of the processor.
// The third holds for a greedy scheduler (Graham; Brent): if a worker finds nothing, every strand
// that is ready runs. The fourth holds for any scheduler. Used by verdict.cpp and json.cpp. What
// the figures mean to a user: docs/statistics.md. Checked by tests/unit/estimate_test.cpp and, with
// programs of known work and span, by tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_ESTIMATE_H
#define NOPAL_STATS_ESTIMATE_H

#include "snapshot.h"

namespace nopal::stats {

struct Interval {
  double least = 0;
  double most = 0;  // 0: no bound
};

/// Nanoseconds. All are 0 if they are not known.
struct Estimate {
  Interval work_ns;
  Interval span_ns;
  Interval parallelism;  // not of one worker
};

Estimate estimate(const Snapshot &snapshot);

}  // namespace nopal::stats

#endif
