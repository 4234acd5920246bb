// Why the workers were not used better: the one most likely cause, from the numbers of one run.
//
// Each cause has an estimate of what it has cost, in time of processors. The largest is named if it
// is a good part of what there was. What one run cannot show is not guessed: memory and contention
// make work longer, and only another run with fewer workers shows by how much.
//
// Called by table.cpp and json.cpp. Estimates: README.md. Checked by tests/unit/verdict_test.cpp
// and, with programs, by tests/verdict.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_VERDICT_H
#define NOPAL_STATS_VERDICT_H

#include "estimate.h"
#include "snapshot.h"

#include <array>
#include <string>

namespace nopal::stats {

/// A cause: its name in JSON, in words, and what to do about it.
struct Cause {
  const char *name;
  const char *words;
  const char *remedy;
};

/// The only list of them. docs/statistics.md has a row for each.
extern const std::array<Cause, 12> kCauses;

struct Verdict {
  const Cause *cause;          // one of kCauses
  std::uint64_t lost_percent;  // of the processors' time, to this cause
  const cilk::site_row *site;  // where, or null; of the snapshot
  Estimate estimate;
  std::string sentence;  // how busy the workers were, and the cause; one line
  std::string advice;    // where and what to do; one line
};

Verdict judge(const Snapshot &snapshot);

}  // namespace nopal::stats

#endif
