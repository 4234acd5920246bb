// The accesses of a half (4 bytes) that one write and one read do not describe: parts of it, and
// accesses with locks.
//
// A half that is split has a list of them. Called by the detector and where shadow is cleared, on
// the checked thread. Lists: singly linked, from one pool, by index. Tests: tests/race.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_HISTORY_H
#define NOPAL_RACE_HISTORY_H

#include "locks.h"
#include "shadow.h"

namespace nopal::race {

/// An access of a half, or of a part of it.
struct Access {
  Time time;
  Place place;
  LockSet locks;
  std::uint8_t mask;  // of its bytes
  bool is_write;
};

/// 0 ends a list.
using Index = std::uint32_t;

struct Entry {
  Access access;
  Index next;
};

Entry &entry(Index index);
/// A new entry before `rest`.
Index add(const Access &access, Index rest);
/// Removes the first entry of a list: its rest.
Index remove(Index first);
void drop_list(Index first);
extern std::size_t in_lists;  // entries that are
inline bool has_lists() { return in_lists != 0; }

/// Gives that half a list, if it has none.
void split(Times *times, Places places, unsigned half);
/// Takes it away again, if the plain form says the same.
void join(Times *times, Places places, unsigned half);
/// Forgets what is known of these bytes of a half.
void forget(Times *times, Places places, unsigned half, unsigned mask);

}  // namespace nopal::race

#endif
