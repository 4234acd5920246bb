// Locks, and the sets of them that an access holds, numbered.
//
// A set is made when a lock is taken or released, so an access only names one. Atomic accesses hold
// a lock that all of them share. A lock whose memory is freed excludes nobody any more: it leaves
// all sets, and the next lock at its address is another one. Called on the checked thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_LOCKS_H
#define NOPAL_RACE_LOCKS_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nopal::race {

using LockSet = std::uint32_t;
using Lock = std::uint64_t;

inline constexpr LockSet kNoLocks = 0;
/// Shared by all atomic accesses; at no address.
inline constexpr Lock kAtomic = 1;

/// The lock at that address, until it is forgotten.
Lock lock_at(std::uintptr_t address);
void forget_known_locks(std::uintptr_t begin, std::size_t size);
extern std::size_t known_locks;  // that have an address
/// The memory is freed, and the locks in it are no more.
inline void forget_locks(std::uintptr_t begin, std::size_t size) {
  if (known_locks != 0) forget_known_locks(begin, size);
}

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
std::span<const Held> members_of(LockSet set);
/// The two holders exclude each other.
bool have_common(LockSet a, LockSet b);
/// Whoever is excluded by `a` is excluded by `b`.
bool is_subset(LockSet a, LockSet b);

}  // namespace nopal::race

#endif
