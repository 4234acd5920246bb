// See segments.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "segments.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "registry.h"

#include <atomic>
#include <cerrno>
#include <cstring>

namespace nopal {

namespace {

constexpr std::size_t kSpareBytes = std::size_t{512} << 10;  // for all workers together

[[gnu::cold]] void say_refused() noexcept {
  const int reason = errno;
  static std::atomic<bool> was_said{false};  // relaxed: nothing else is published
  if (was_said.exchange(true, std::memory_order_relaxed)) return;
  warn(
      "cannot map %zu bytes for a stack segment: %s; going on with fewer stacks, so with less "
      "parallelism; raise vm.max_map_count or the "
      "limit on address space, or lower CILK_SEGMENT_SIZE",
      segment_pool().segment_bytes(), std::strerror(reason));
}

}  // namespace

cactus::SegmentPool &segment_pool() noexcept {
  [[clang::no_destroy]] static cactus::SegmentPool pool(
      {.segment_bytes = config().segment_size_bytes,
       .max_idle = std::size_t{4} * config().nworkers});
  return pool;
}

cactus::Segment *acquire_segment(cactus::SegmentCache &cache) noexcept {
  cactus::Segment *segment = cache.acquire();
  if (segment == nullptr) [[unlikely]]
    say_refused();
  return segment;
}

bool reserve_segment(cactus::SegmentCache &cache) noexcept {
  const bool has_one = cache.reserve();
  if (!has_one) [[unlikely]]
    say_refused();
  return has_one;
}

std::size_t spare_bytes() noexcept { return kSpareBytes / registry().count(); }

std::size_t kept_below() noexcept {
  return cactus::segments_in_use() <= std::size_t{2} * registry().count() ? cactus::kKeptBelowBytes
                                                                          : cactus::page_bytes();
}

}  // namespace nopal
