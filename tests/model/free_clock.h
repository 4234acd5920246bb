// A clock that answers anything, for the deque's adaptive fences. Used by adaptive_model.cpp.
#pragma once

#include "explorer.h"

namespace nopal::model {

// Every answer is 0 or 1, as the explorer chooses, and each question of the deque is whether two
// answers are equal: a claim is stale if they are not, a thief waits for the owner as long as they
// are. So each of these decisions goes either way, whatever the others were: a superset of what
// clocks say. `kChoices`: how many answers of each
// thread are free; later ones go by turns.
template <int64_t kPops, int kChoices>
struct FreeClock : ModelAtoms {
  static constexpr uint64_t kStaleClaimNs = 1, kClaimGraceNs = 1;
  static constexpr int64_t kFencedPops = kPops;
  static uint64_t now_ns() { return choose(kChoices); }
  // The wait ends by the clock, whether anything changes in memory or not. (That for a claim does
  // not: yield.)
  static void spin_pause() {}
};

}  // namespace nopal::model
