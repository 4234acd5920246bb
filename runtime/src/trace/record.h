// A record of the trace: what a worker notes at one moment.
//
// Made by track.h, read by timeline.cpp. Checked by tests/unit/trace_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_RECORD_H
#define NOPAL_TRACE_RECORD_H

#include "../../abi/nopal_abi.h"

#include <cstdint>

namespace nopal::trace {

enum class Kind : std::uint8_t {
  // States: what the worker does from now on.
  kNoThread,   // no thread holds it
  kProgram,    // a thread of the program has attached: its own code
  kContinues,  // the stolen continuation of `site`
  kResumed,    // after the sync of the frame whose last spawn was `site`
  kWaits,      // at that sync, for others
  kWaitsForTurn,
  kSearches,
  kParked,
  // Moments.
  kTurnComes,  // back to the state before kWaitsForTurn
  kSteal,      // the worker has taken the continuation of `site` from worker `other`
  kSpawn,      // a sampled spawn, at `site`; `other` continuations are stealable now
};

struct Record {
  std::uint64_t time_ns;
  const nopal_site *site;  // or null
  std::uint32_t other;
  Kind kind;
};
static_assert(sizeof(Record) == 24);

}  // namespace nopal::trace

#endif
