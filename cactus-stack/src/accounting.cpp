// Queries about the process's segments: how many there are, and to which one an address belongs.
// Specified in cactus/segment.h. The counters stand in registry.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

namespace cactus {

Accounting accounting() noexcept {
  Accounting result{};
  result.reserved = totals.reserved.load(std::memory_order_relaxed);
  result.in_use = totals.in_use.load(std::memory_order_relaxed);
  result.in_pools = totals.in_pools.load(std::memory_order_relaxed);
  // A mapped segment that is neither held nor in a pool is in a cache. The three counters may be of
  // different instants.
  const std::size_t outside_caches = result.in_use + result.in_pools;
  result.in_caches = result.reserved > outside_caches ? result.reserved - outside_caches : 0;
  result.peak_reserved = totals.peak_reserved.load(std::memory_order_relaxed);
  result.peak_in_use = totals.peak_in_use.load(std::memory_order_relaxed);
  result.reserved_bytes = totals.reserved_bytes.load(std::memory_order_relaxed);
  result.peak_reserved_bytes = totals.peak_reserved_bytes.load(std::memory_order_relaxed);
  result.maps = totals.maps.load(std::memory_order_relaxed);
  result.decommits = totals.decommits.load(std::memory_order_relaxed);
  return result;
}

std::size_t segments_in_use() noexcept { return totals.in_use.load(std::memory_order_relaxed); }

Found find_segment(const void *address) noexcept { return Registry::find(address); }

}  // namespace cactus
