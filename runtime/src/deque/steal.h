// What thieves do to a deque: take its oldest element, or several.
//
// The second half of deque.h, which includes it and has the states. Protocol and proof: README.md.
// Tests: as deque.h.
//
// Edges (tag: writer -> reader; deque.h says what the reader may rely on):
//   [bottom] the owner's store-release of bottom -> our load-acquire after the fence.
//   [slot] our compare-exchanges: frame -> claim -> taken, or back.
//   [top] compare-exchange by whoever finds the oldest element taken -> a thief's load-acquire.
//   [array] the owner's store-release of array -> our load-acquire.
//   [fence] the owner's store of bottom, fence, load of the slot || our claims, fence, load of
//       bottom.
//   [mode] the owner's store of full_pops || our load of it after the claims and a full fence.
//   [hint] a value that is checked again after the fence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "deque.h"

namespace nopal {

// After our claims, the oldest of which is `claim` in `claimed`, made at `since_ns` or later: the
// owner sees them, or we see its bottom.
template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Steal::fence(const Int64 &claimed, int64_t claim,
                                       uint64_t since_ns) noexcept {
  if (d_.mode != FenceMode::kAsymmetric) Atoms::full_fence();  // [fence], [mode]
  if (d_.mode == FenceMode::kAsymmetric ||
      (d_.mode == FenceMode::kAdaptive && d_.full_pops.load_acquire() == 0)) {  // [mode]
    Atoms::heavy_fence();                                                       // [fence]
  } else if (d_.mode == FenceMode::kAdaptive) {
    while (Atoms::now_ns() - since_ns < Atoms::kClaimGraceNs &&
           claimed.load_relaxed() == claim)  // [slot]: else the owner has it back
      Atoms::spin_pause();
  }
}

template <class Frame, class Atoms>
template <class Inspect>
StealResult<Frame> Deque<Frame, Atoms>::Steal::steal(const void *thief, Inspect inspect) noexcept {
  constexpr StealResult<Frame> kLost{StealOutcome::kLostRace, nullptr};
  const bool is_adaptive = d_.mode == FenceMode::kAdaptive;
  int64_t oldest = d_.top.load_acquire();        // [top]
  Array *const array = d_.array.load_acquire();  // [array]: top's position is in it
  const int64_t position = position_of(oldest);
  int64_t bottom = d_.bottom.load_acquire();  // [hint]: spares the fence
  if (array->position_of(bottom) <= position) return {StealOutcome::kEmpty, nullptr};
  Int64 &slot = array->slots()[position];
  int64_t found = slot.load_acquire();  // [slot]
  // [top]: for a thief that has not come so far
  if (found == kTaken) d_.top.compare_exchange_seq_cst(oldest, oldest + 1);
  if (!is_frame(found)) return kLost;
  const int64_t frame = found;
  const uint64_t began = is_adaptive ? Atoms::now_ns() : 0;
  if (is_adaptive) d_.claimed_at_ns.store_relaxed(static_cast<int64_t>(began));  // [hint]
  int64_t claim = claim_of(thief);
  if (!slot.compare_exchange_seq_cst(found, claim)) return kLost;  // [slot]
  fence(slot, claim, began);
  bottom = d_.bottom.load_acquire();  // [bottom], [fence]: with our claim the array is the newest
  const bool is_there = array->position_of(bottom) > position;
  const bool is_top = is_there && d_.top.load_acquire() == oldest;  // [top]: the slot's epoch
  if (is_top && inspect(frame_of(frame))) {
    if (!slot.compare_exchange_seq_cst(claim, kTaken)) return kLost;  // [slot]
    d_.top.compare_exchange_seq_cst(oldest, oldest + 1);              // [top]
    return {StealOutcome::kStolen, frame_of(frame)};
  }
  slot.compare_exchange_seq_cst(claim, frame);  // [slot]: as it was, unless the owner settled it
  return kLost;
}

template <class Frame, class Atoms>
template <class Wanted, class Inspect>
StealSeveralResult Deque<Frame, Atoms>::Steal::steal_several(const void *thief, Frame **taken,
                                                             int64_t room, Wanted wanted,
                                                             Inspect inspect) noexcept {
  const bool is_adaptive = d_.mode == FenceMode::kAdaptive;
  const int64_t oldest = d_.top.load_acquire();  // [top]
  Array *const array = d_.array.load_acquire();  // [array]: top's position is in it
  const int64_t position = position_of(oldest);
  int64_t there = array->position_of(d_.bottom.load_acquire()) - position;  // [hint]
  if (there <= 0) return {StealOutcome::kEmpty, 0};
  const int64_t wants = wanted(there) < room ? wanted(there) : room;
  Int64 *const slots = array->slots() + position;
  const uint64_t began = is_adaptive ? Atoms::now_ns() : 0;
  const int64_t claim = claim_of(thief);
  int64_t claimed = 0;
  while (claimed < wants) {  // the slot above the array's last one holds 0: within it
    int64_t found = slots[claimed].load_acquire();  // [slot]
    if (found == kTaken && claimed == 0) {          // for a thief that has not come so far
      int64_t top = oldest;
      d_.top.compare_exchange_seq_cst(top, top + 1);  // [top]
    }
    if (!is_frame(found)) break;
    taken[claimed] = frame_of(found);
    if (is_adaptive && claimed == 0)
      d_.claimed_at_ns.store_relaxed(static_cast<int64_t>(began));      // [hint]
    if (!slots[claimed].compare_exchange_seq_cst(found, claim)) break;  // [slot]
    ++claimed;
  }
  if (claimed == 0) return {StealOutcome::kLostRace, 0};
  fence(slots[0], claim, began);
  there = array->position_of(d_.bottom.load_acquire()) - position;  // [bottom], [fence]
  int64_t count = 0;
  // [top]: the slots' epoch
  if (there > 0 && d_.top.load_acquire() == oldest && inspect(taken[0]))
    count = there < claimed ? there : claimed;
  int64_t confirmed = 0;
  while (confirmed < count) {
    int64_t found = claim;
    if (!slots[confirmed].compare_exchange_seq_cst(found, kTaken)) break;  // [slot]
    int64_t top = oldest + confirmed;
    d_.top.compare_exchange_seq_cst(top, top + 1);  // [top]: before the next is taken
    ++confirmed;
  }
  for (int64_t i = claimed; i > confirmed; --i) {
    int64_t found = claim;
    slots[i - 1].compare_exchange_seq_cst(found, word_of(taken[i - 1]));  // [slot]
  }
  if (confirmed == 0) return {StealOutcome::kLostRace, 0};
  return {StealOutcome::kStolen, confirmed};
}

}  // namespace nopal
