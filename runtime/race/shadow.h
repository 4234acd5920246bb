// Where shadow memory lies, and how it is cleared.
//
// 512 bytes of memory are a chunk. While all have one history, the chunk has it; else its granules
// of 8 bytes have one each. 8 bytes of memory have 16 bytes of times, and 8 bytes of places for
// writes and as much for reads, at addresses that follow from theirs alone (times_of, places_of).
// The shadow of kWindows is mapped; the system gives it memory at the first touch.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_SHADOW_H
#define NOPAL_RACE_SHADOW_H

#include "strands.h"

#include <cstddef>
#include <cstdint>

namespace nopal::race {

using Address = std::uintptr_t;
/// The low half of an address of code.
using Place = std::uint32_t;

/// Of 8 bytes: for each half the last write, and the reader after it. If `write` is kSplit, `read`
/// is the index of a list (history.h). If it is kBlock, the 8 bytes are the heap's own, before a
/// block of the program (heap.cpp).
struct alignas(16) Times {
  Time write[2];
  Time read[2];
};
/// The places in the program to these times; one for each half.
struct Places {
  Place *write, *read;
};

inline constexpr Time kSplit = 0xffffffff;
inline constexpr Time kBlock = 0xfffffffe;

inline constexpr std::size_t kGranule = 8;
inline constexpr std::size_t kHalf = 4;

/// Of 512 bytes that all have one history. New memory has none: all is 0. If `write` is kApart, the
/// granules have their own.
struct alignas(16) Chunk {
  Time write, read;
  Place write_place, read_place;
};
inline constexpr Time kApart = kSplit;
inline constexpr std::size_t kChunk = NOPAL_RACE_CHUNK;
static_assert(kApart == NOPAL_RACE_APART && sizeof(Chunk) == NOPAL_RACE_CHUNK_RECORD);

/// Where programs have memory: that of the executable at a fixed address, that of one at a random
/// address and its heap, and mappings and stacks.
struct Window {
  Address begin, end;
};
inline constexpr Window kWindows[] = {{0x000000000000, 0x010000000000},
                                      {0x550000000000, 0x570000000000},
                                      {0x7e0000000000, 0x800000000000}};

/// The windows differ in these bits of their addresses. Where the parts lie: nopal_race_memory.h.
inline constexpr Address kMask = NOPAL_RACE_MASK;
inline constexpr Address kTimes = NOPAL_RACE_TIMES;
inline constexpr Address kWritePlaces = 0x300000a00000;
inline constexpr Address kReadPlaces = 0x400001400000;
inline constexpr Address kChunks = NOPAL_RACE_CHUNKS;

inline Times *times_of(Address address) {
  return reinterpret_cast<Times *>(kTimes + (address & kMask & ~Address{7}) * 2);
}
inline Places places_of(Address address) {
  const Address granule = address & kMask & ~Address{7};
  return {reinterpret_cast<Place *>(kWritePlaces + granule),
          reinterpret_cast<Place *>(kReadPlaces + granule)};
}

inline Chunk &chunk_of(Address address) {
  return reinterpret_cast<Chunk *>(kChunks)[(address & kMask) / kChunk];
}
/// What the granules have is undefined until then.
void spread(Address address);
inline void take_apart(Address address) {
  if (chunk_of(address).write != kApart) spread(address);
}

inline bool has_shadow(Address begin, std::size_t size) {
  for (const Window &window : kWindows)
    if (begin >= window.begin && begin < window.end) return size <= window.end - begin;
  return false;
}

/// Maps it. Ends the process if that is impossible; starts it anew without randomized addresses if
/// it lies outside of the windows.
void map_shadow();
bool is_shadow_mapped();

/// Forgets all accesses of [begin, begin + size).
void clear(Address begin, std::size_t size);
/// The same of memory that has shadow, from one granule to another.
void clear_granules(Address begin, Address end);

}  // namespace nopal::race

#endif
