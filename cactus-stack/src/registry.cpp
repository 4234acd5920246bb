// Maps, unmaps and finds segments. Callers and invariants: registry.h.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [list] take_descriptor's store-release of first_ -> find's load-acquire: the descriptor and
//       its next_registered_ are visible. All others read the list under mutex_.
//   [place] relaxed: low_, size_bytes_ and state_ are written under mutex_ before the segment is
//       handed out, and its holder got it from there. find may see an old pair of a segment that is
//       mapped or unmapped meanwhile, but never of the one that the caller runs on.
//   [count] relaxed: a counter, read on its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

#include <cactus/valgrind.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <new>
#include <type_traits>

namespace cactus {

namespace {

constexpr std::size_t kWantedGuardBytes = std::size_t{64} << 10;

// The first descriptors need no allocation. A thread's first allocation makes the C library set up
// an arena, which takes some ten microseconds.
constexpr std::size_t kBuiltIn = 64;
static_assert(std::is_trivially_destructible_v<Segment>, "descriptors are never destroyed");
alignas(
    Segment) char built_in[kBuiltIn][sizeof(Segment)];  // under the registry's mutex, as the next
std::size_t built_in_used = 0;

/// Unmaps. If that would need one mapping more than the system allows (the kernel had merged this
/// one with a neighbour), decommits the pages and leaves the address space.
void unmap_or_leave(void *base, std::size_t size_bytes) noexcept {
  if (munmap(base, size_bytes) != 0) madvise(base, size_bytes, MADV_DONTNEED);
}
}  // namespace

constinit Totals totals;
constinit std::mutex Registry::mutex_;
constinit std::atomic<Segment *> Registry::first_{nullptr};
constinit Segment *Registry::free_ = nullptr;

std::size_t guard_bytes() noexcept {
  const std::size_t page = page_bytes();
  return (kWantedGuardBytes + page - 1) / page * page;
}

Segment *Registry::take_descriptor() noexcept {
  if (Segment *segment = free_) {
    free_ = segment->next_idle_;
    segment->next_idle_ = nullptr;
    return segment;
  }
  auto *segment = built_in_used < kBuiltIn ? new (built_in[built_in_used++]) Segment
                                           : new (std::nothrow) Segment;
  if (segment == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  segment->next_registered_ = first_.load(std::memory_order_relaxed);  // [list]: under mutex_
  first_.store(segment, std::memory_order_release);                    // [list]
  return segment;
}

void Registry::put_descriptor(Segment *segment) noexcept {
  segment->next_idle_ = free_;
  free_ = segment;
}

Segment *Registry::map(std::size_t size_bytes) noexcept {
  const std::size_t guard = guard_bytes();
  const std::lock_guard lock(mutex_);
  Segment *segment = take_descriptor();
  if (segment == nullptr) return nullptr;

  void *base = mmap(nullptr, guard + size_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED || mprotect(base, guard, PROT_NONE) != 0) {
    const int error = errno;
    if (base != MAP_FAILED) unmap_or_leave(base, guard + size_bytes);
    put_descriptor(segment);
    errno = error;
    return nullptr;
  }
  const int error = errno;
  // A stack that commits 2 MiB at its first touch would break every bound. A kernel without huge
  // pages refuses, and that is fine.
  madvise(static_cast<char *>(base) + guard, size_bytes, MADV_NOHUGEPAGE);
  errno = error;

  segment->note_idle(0);
  segment->account_.store(nullptr, std::memory_order_relaxed);                        // [count]
  segment->size_bytes_.store(size_bytes, std::memory_order_relaxed);                  // [place]
  segment->low_.store(static_cast<char *>(base) + guard, std::memory_order_relaxed);  // [place]
  segment->state_.store(Segment::State::kIdle, std::memory_order_relaxed);            // [place]
  segment->valgrind_id_ = note_stack(segment->low(), size_bytes);
  count_up(totals.reserved, totals.peak_reserved);
  count_up(totals.reserved_bytes, totals.peak_reserved_bytes, guard + size_bytes);
  totals.maps.fetch_add(1, std::memory_order_relaxed);  // [count]
  return segment;
}

void Registry::unmap(Segment *segment) noexcept {
  const int error = errno;
  const std::size_t whole_bytes = guard_bytes() + segment->size_bytes();
  const std::lock_guard lock(mutex_);
  forget_stack(segment->valgrind_id_);
  unmap_or_leave(segment->guard(), whole_bytes);
  segment->state_.store(Segment::State::kUnmapped, std::memory_order_relaxed);  // [place]
  segment->low_.store(nullptr, std::memory_order_relaxed);                      // [place]
  segment->size_bytes_.store(0, std::memory_order_relaxed);                     // [place]
  put_descriptor(segment);
  totals.reserved.fetch_sub(1, std::memory_order_relaxed);                  // [count]
  totals.reserved_bytes.fetch_sub(whole_bytes, std::memory_order_relaxed);  // [count]
  errno = error;
}

Found Registry::find(const void *address) noexcept {
  const Segment *s = first_.load(std::memory_order_acquire);  // [list]
  for (; s != nullptr; s = s->next_registered_) {
    if (s->low() == nullptr) continue;
    if (s->contains(address)) return {s, false};
    if (address >= s->guard() && address < s->low()) return {s, true};
  }
  return {nullptr, false};
}

}  // namespace cactus
