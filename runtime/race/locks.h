// Sets of locks that an access holds, numbered.
//
// A set is made when a lock is taken or released, so an access only names one. Atomic accesses hold
// a lock that all of them share. Called on the checked thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_LOCKS_H
#define NOPAL_RACE_LOCKS_H

#include <compare>
#include <cstdint>

namespace nopal::race {

using LockSet = std::uint16_t;
using Lock = std::uintptr_t;

inline constexpr LockSet kNoLocks = 0;
/// Shared by all atomic accesses; no address of a lock.
inline constexpr Lock kAtomic = 1;

/// A lock that is held. Holders of the read side do not exclude each other. Strands that became
/// parallel while a common ancestor held a lock do not, either: an acquisition gets a number of its
/// own when a child is spawned in it.
struct Held {
  Lock lock;
  std::uint32_t acquisition = 0;  // 0: nothing was spawned in it
  bool is_shared = false;
  auto operator<=>(const Held &) const = default;
};

/// That set with one more, or without one.
LockSet with(LockSet set, const Held &held);
LockSet without(LockSet set, const Held &held);
/// The two holders exclude each other.
bool have_common(LockSet a, LockSet b);
/// Whoever is excluded by `a` is excluded by `b`.
bool is_subset(LockSet a, LockSet b);

}  // namespace nopal::race

#endif
