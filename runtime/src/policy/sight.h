// What is to be had from others' deques, by looking alone: nothing, or for a moment only, or for longer.
//
// For a poller whose last call was for nothing, and a thief whose last claim failed. A call, and an attempt with a heavy fence, interrupt the owner for ten microseconds; a look costs it a cache
// miss. In a loop of tiny children the continuation is there at every other look, and never worth either; a continuation that is there at each look of some
// microseconds has a child that is worth a theft, or lies below others. Used by scheduler/find_work.cpp. Why so: docs/decisions/0019. Test:
// tests/unit/sight_test.cpp.
#ifndef NOPAL_POLICY_SIGHT_H
#define NOPAL_POLICY_SIGHT_H

#include <cstdint>

namespace nopal {

enum class Sight : std::uint8_t {
  kNothing,  // no look has seen anything
  kFleeting, // each deque that had something had nothing at a later look
  kRipe,     // a deque had something at all looks
};

/// So many times everything is looked at for kNothing, and a deque for kRipe.
constexpr int kLooksOfSight = 24;

/// Whether something is there at 24 looks; asked when it was there just now. `pause()` comes before each: about a tenth of a microsecond, and not always the
/// same, since an owner that waits for a line that we have just read tends to fall into step with us.
template <class IsThere, class Pause> bool stays(IsThere is_there, Pause pause) noexcept {
  for (int look = 0; look < kLooksOfSight; ++look) {
    pause();
    if (!is_there()) return false;
  }
  return true;
}

/// `is_stealable(index)`: whether the deque of that slot seems to have something. Cost: 24 looks at each slot if all are empty.
template <class IsStealable, class Pause> Sight sight_of(std::uint32_t slots, IsStealable is_stealable, Pause pause) noexcept {
  for (int look = 0; look < kLooksOfSight; ++look) {
    bool is_fleeting = false;
    for (std::uint32_t index = 0; index < slots; ++index) {
      if (!is_stealable(index)) continue;
      if (stays([&] { return is_stealable(index); }, pause)) return Sight::kRipe;
      is_fleeting = true;
    }
    if (is_fleeting) return Sight::kFleeting;
    pause();
  }
  return Sight::kNothing;
}

} // namespace nopal

#endif
