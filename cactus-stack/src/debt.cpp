// Trimming that is put off. Specified, with the edge, in cactus/debt.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cactus/debt.h>

#include "meter.h"

#include <sched.h>

namespace cactus {

TrimDebt *TrimDebt::owe(Segment &segment, std::size_t length) noexcept {
  pay();
  segment_ = &segment;
  length_ = length;
  word_.store(reinterpret_cast<std::uintptr_t>(&segment), std::memory_order_release);  // [debt]
  return this;
}

void TrimDebt::pay() noexcept {
  std::uintptr_t owed = word_.load(std::memory_order_relaxed);  // [debt]: ours; who has cancelled needs nothing of us
  if (owed == 0) return;
  if (!word_.compare_exchange_strong(owed, owed | kBeingPaid, std::memory_order_acq_rel, std::memory_order_relaxed)) return;  // [debt]
  Meter::give_back(static_cast<char *>(segment_->low()), length_);
  if (is_measuring()) Meter::note_at_rest(*segment_);
  word_.store(0, std::memory_order_release);  // [debt]
}

void TrimDebt::cancel(const Segment &segment) noexcept {
  const auto owed = reinterpret_cast<std::uintptr_t>(&segment);
  std::uintptr_t found = owed;
  if (word_.compare_exchange_strong(found, 0, std::memory_order_acq_rel, std::memory_order_acquire)) return;  // [debt]
  while (found == (owed | kBeingPaid)) {
    sched_yield();
    found = word_.load(std::memory_order_acquire);  // [debt]
  }
}

}  // namespace cactus
