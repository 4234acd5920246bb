// See history.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "history.h"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

namespace nopal::race {

namespace {

constexpr unsigned kAllBytes = (1u << kHalf) - 1;
constexpr std::size_t kMostEntries = std::size_t{1} << 32;

Entry *entries = nullptr;
Index made = 0;       // those ever used; the first is none
Index free_list = 0;  // of those not in a list

void map_entries() {
  void *const got = mmap(nullptr, kMostEntries * sizeof(Entry), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) {
    std::fprintf(stderr, "nopal: fatal: cannot map the race detector's lists\n");
    std::_Exit(2);
  }
  entries = static_cast<Entry *>(got);
}

}  // namespace

std::size_t in_lists = 0;

Entry &entry(Index index) { return entries[index]; }

Index add(const Access &access, Index rest) {
  Index index = free_list;
  if (index != 0) {
    free_list = entries[index].next;
  } else {
    if (!entries) map_entries();
    if (++made == 0) {
      std::fprintf(stderr, "nopal: fatal: the race detector's lists are full\n");
      std::_Exit(2);
    }
    index = made;
  }
  entries[index] = {access, rest};
  ++in_lists;
  return index;
}

Index remove(Index first) {
  const Index rest = entries[first].next;
  entries[first].next = free_list;
  free_list = first;
  --in_lists;
  return rest;
}

void drop_list(Index first) {
  while (first != 0) first = remove(first);
}

void split(Times *times, Places places, unsigned half) {
  if (times->write[half] == kSplit) return;
  Index list = 0;
  if (times->read[half] != kNever)
    list = add({times->read[half], places.read[half], kNoLocks, kAllBytes, false}, list);
  if (times->write[half] != kNever)
    list = add({times->write[half], places.write[half], kNoLocks, kAllBytes, true}, list);
  times->write[half] = kSplit;
  times->read[half] = list;
}

void join(Times *times, Places places, unsigned half) {
  const Access *read = nullptr, *write = nullptr;
  for (Index i = times->read[half]; i != 0; i = entries[i].next) {
    const Access &access = entries[i].access;
    const Access *&same = access.is_write ? write : read;
    if (same || access.mask != kAllBytes || access.locks != kNoLocks) return;
    same = &access;
  }
  const Index list = times->read[half];
  times->write[half] = write ? write->time : kNever;
  places.write[half] = write ? write->place : 0;
  times->read[half] = read ? read->time : kNever;
  places.read[half] = read ? read->place : 0;
  drop_list(list);
}

void forget(Times *times, Places places, unsigned half, unsigned mask) {
  if (times->write[half] == kNever && times->read[half] == kNever) return;
  split(times, places, half);
  Index *link = &times->read[half];
  while (*link != 0) {
    Access &access = entries[*link].access;
    access.mask = static_cast<std::uint8_t>(access.mask & ~mask);
    if (access.mask == 0)
      *link = remove(*link);
    else
      link = &entries[*link].next;
  }
  join(times, places, half);
}

}  // namespace nopal::race
