// See shadow.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shadow.h"

#include "history.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>

#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

namespace nopal::race {

namespace {

bool is_mapped = false;

constexpr std::size_t kPage = 4096;
/// Memory of that size and alignment has whole pages of each part of the shadow.
constexpr std::size_t kUnit = kPage / sizeof(Chunk) * kChunk;
/// The shadow of so much is decommitted. What is smaller is used again soon, by the heap, and new
/// pages cost more than clearing.
constexpr std::size_t kDecommitted = std::size_t{8} << 20;

void map(Address begin, std::size_t size) {
  void *const at = reinterpret_cast<void *>(begin);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *const got = mmap(at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (got == at) {
    madvise(at, size, MADV_DONTDUMP);
    madvise(at, size, MADV_NOHUGEPAGE);  // memory follows what the program touches
    return;
  }
  std::fprintf(stderr,
               "nopal: fatal: cannot map %zu GiB of shadow memory for the race detector at %p: %s; "
               "it needs no memory of that size, but addresses: raise the limit (ulimit -v), and "
               "set vm.overcommit_memory to 0 or 1\n",
               size >> 30, at, std::strerror(got == MAP_FAILED ? errno : EEXIST));
  std::_Exit(2);
}

/// With the same arguments. Returns if that is impossible.
void start_anew() {
  static char text[1 << 21];
  static char *arguments[1 << 16];
  FILE *const file = std::fopen("/proc/self/cmdline", "r");
  if (!file) return;
  const std::size_t size = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  std::size_t count = 0;
  for (char *at = text; at < text + size && count + 1 < std::size(arguments);
       at += std::strlen(at) + 1)
    arguments[count++] = at;
  execv("/proc/self/exe", arguments);
}

/// The system puts executables and mappings at random addresses, on some systems far apart.
void require_windows() {
  int on_stack = 0;
  const Address stack = reinterpret_cast<Address>(&on_stack);
  const Address code = reinterpret_cast<Address>(&map_shadow);
  const Address heap = reinterpret_cast<Address>(sbrk(0));
  if (has_shadow(stack, 0) && has_shadow(code, 0) && has_shadow(heap, 0)) return;
  const int persona = personality(0xffffffff);
  if (persona != -1 && (persona & ADDR_NO_RANDOMIZE) == 0 &&
      personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) != -1)
    start_anew();
  std::fprintf(stderr,
               "nopal: fatal: the program's memory lies where the race detector has no shadow for "
               "it; run it under `setarch -R`\n");
  std::_Exit(2);
}

/// The bytes [begin, end) of a half.
unsigned mask_of(Address begin, Address end) {
  const unsigned first = begin % kHalf;
  return ((1u << (end - begin)) - 1) << first;
}

bool is_empty(const Chunk &chunk) { return chunk.write == kNever && chunk.read == kNever; }

void clear_part(Address begin, Address end) {
  if (is_empty(chunk_of(begin))) return;
  take_apart(begin);
  forget(times_of(begin), places_of(begin), begin / kHalf % 2, mask_of(begin, end));
}

/// The shadow of units: it is new again.
void decommit(Address begin, std::size_t size) {
  madvise(times_of(begin), size * 2, MADV_DONTNEED);
  madvise(places_of(begin).write, size, MADV_DONTNEED);
  madvise(places_of(begin).read, size, MADV_DONTNEED);
  madvise(&chunk_of(begin), size / kChunk * sizeof(Chunk), MADV_DONTNEED);
}

}  // namespace

bool is_shadow_mapped() { return is_mapped; }

void map_shadow() {
  require_windows();
  for (const Window &window : kWindows) {
    const Address begin = window.begin & kMask;
    const std::size_t size = window.end - window.begin;
    map(kTimes + begin * 2, size * 2);
    map(kWritePlaces + begin, size);
    map(kReadPlaces + begin, size);
    map(kChunks + begin / kChunk * sizeof(Chunk), size / kChunk * sizeof(Chunk));
  }
  is_mapped = true;
}

void spread(Address address) {
  Chunk &chunk = chunk_of(address);
  const Address begin = address / kChunk * kChunk;
  const Times times{{chunk.write, chunk.write}, {chunk.read, chunk.read}};
  std::fill_n(times_of(begin), kChunk / kGranule, times);
  const Places places = places_of(begin);
  if (chunk.write != kNever) std::fill_n(places.write, kChunk / kHalf, chunk.write_place);
  if (chunk.read != kNever) std::fill_n(places.read, kChunk / kHalf, chunk.read_place);
  chunk.write = kApart;
}

void clear_granules(Address begin, Address end) {
  for (Address stop; begin != end; begin = stop) {
    stop = std::min(end, (begin / kChunk + 1) * kChunk);
    Chunk &chunk = chunk_of(begin);
    if (is_empty(chunk)) continue;
    const bool is_whole = stop - begin == kChunk;
    if (!is_whole) take_apart(begin);
    if (chunk.write == kApart && (!is_whole || has_lists())) {
      Times *const last = times_of(begin) + (stop - begin) / kGranule;
      for (Times *times = times_of(begin); times != last; ++times) {
        for (unsigned half = 0; half != 2; ++half)
          if (times->write[half] == kSplit) drop_list(times->read[half]);
        *times = {};
      }
    }
    if (is_whole) chunk = {};
  }
}

void clear(Address begin, std::size_t size) {
  if (!is_mapped || !has_shadow(begin, size)) return;
  Address end = begin + size;
  while (begin % kGranule != 0 && begin != end) {
    const Address stop = std::min(end, (begin / kHalf + 1) * kHalf);
    clear_part(begin, stop);
    begin = stop;
  }
  const Address whole = std::max(begin, end / kGranule * kGranule);
  const Address first = (begin + kUnit - 1) / kUnit * kUnit, last = whole / kUnit * kUnit;
  if (first < last && last - first >= kDecommitted) {
    clear_granules(begin, first);
    if (has_lists()) clear_granules(first, last);
    decommit(first, last - first);
    begin = last;
  }
  clear_granules(begin, whole);
  for (begin = whole; begin != end;) {
    const Address stop = std::min(end, (begin / kHalf + 1) * kHalf);
    clear_part(begin, stop);
    begin = stop;
  }
}

}  // namespace nopal::race
