// Deferred trimming. Specified, with its edge, in cactus/deferred_trim.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cactus/deferred_trim.h>

#include "meter.h"

#include <sched.h>

namespace cactus {

DeferredTrim *DeferredTrim::defer(Segment &segment, std::size_t length_bytes) noexcept {
  perform();
  segment_ = &segment;
  length_bytes_ = length_bytes;
  word_.store(reinterpret_cast<std::uintptr_t>(&segment), std::memory_order_release);  // [trim]
  return this;
}

void DeferredTrim::perform() noexcept {
  // [trim]: our own store, or the 0 of a resumer, from whom we need nothing.
  std::uintptr_t pending = word_.load(std::memory_order_relaxed);
  if (pending == 0) return;
  if (!word_.compare_exchange_strong(pending, pending | kInProgress, std::memory_order_acq_rel,
                                     std::memory_order_relaxed))  // [trim]
    return;
  Meter::decommit(static_cast<char *>(segment_->low()), length_bytes_);
  if (is_measuring()) Meter::note_suspended(*segment_);
  word_.store(0, std::memory_order_release);  // [trim]
}

void DeferredTrim::cancel(const Segment &segment) noexcept {
  const auto pending = reinterpret_cast<std::uintptr_t>(&segment);
  std::uintptr_t found = pending;
  if (word_.compare_exchange_strong(found, 0, std::memory_order_acq_rel,
                                    std::memory_order_acquire))  // [trim]
    return;
  while (found == (pending | kInProgress)) {
    sched_yield();
    found = word_.load(std::memory_order_acquire);  // [trim]
  }
}

}  // namespace cactus
