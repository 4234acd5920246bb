// Sets of locks that an access holds, numbered.
//
// A set is made when a lock is taken or released, so an access only names one. Atomic accesses hold
// a lock that all of them share. Called on the checked thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_LOCKS_H
#define NOPAL_RACE_LOCKS_H

#include <cstdint>

namespace nopal::race {

using LockSet = std::uint16_t;
using Lock = std::uintptr_t;

inline constexpr LockSet kNoLocks = 0;
/// Shared by all atomic accesses; no address of a lock.
inline constexpr Lock kAtomic = 1;

/// That set with one more, or without one.
LockSet with(LockSet set, Lock lock);
LockSet without(LockSet set, Lock lock);
bool have_common(LockSet a, LockSet b);
/// Each lock of `a` is in `b`.
bool is_subset(LockSet a, LockSet b);

}  // namespace nopal::race

#endif
