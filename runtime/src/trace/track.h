// What a worker calls to note something for the trace. Called by worker/activity.h alone.
//
// Cost: a load and a branch if no trace is wanted; else some stores. Checked by
// tests/unit/trace_test.cpp and tests/trace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_TRACK_H
#define NOPAL_TRACE_TRACK_H

#include "ring.h"

namespace nopal::trace {

/// A worker's part of the trace: a member of each Worker. Its owner writes.
class Track {
 public:
  explicit Track(Ring *ring) noexcept : ring_(ring) {}

  bool is_on() const noexcept { return ring_ != nullptr; }
  void note(Kind kind, std::uint64_t now_ns, const nopal_site *site = nullptr,
            std::uint32_t other = 0) noexcept {
    if (ring_ != nullptr) [[unlikely]]
      ring_->put({now_ns, site, other, kind});
  }

 private:
  Ring *const ring_;  // null: no trace is wanted, or no memory is left for it
};

}  // namespace nopal::trace

#endif
