// The questions that anyone may ask about the process's segments: how many, how much of them is resident, whose is an address.
// Declared and specified in cactus/segment.h; the counts themselves stand in registry.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

namespace cactus {

Accounting accounting() noexcept {
  Accounting result{};
  result.reserved = totals.reserved.load(std::memory_order_relaxed);
  result.in_use = totals.in_use.load(std::memory_order_relaxed);
  result.in_pools = totals.in_pools.load(std::memory_order_relaxed);
  // What is mapped and neither held nor in a pool is in a cache; the three numbers may be of different instants.
  const std::size_t elsewhere = result.in_use + result.in_pools;
  result.in_caches = result.reserved > elsewhere ? result.reserved - elsewhere : 0;
  result.peak_reserved = totals.peak_reserved.load(std::memory_order_relaxed);
  result.peak_in_use = totals.peak_in_use.load(std::memory_order_relaxed);
  result.reserved_bytes = totals.reserved_bytes.load(std::memory_order_relaxed);
  result.peak_reserved_bytes = totals.peak_reserved_bytes.load(std::memory_order_relaxed);
  result.maps = totals.maps.load(std::memory_order_relaxed);
  result.give_backs = totals.give_backs.load(std::memory_order_relaxed);
  return result;
}

std::size_t segments_in_use() noexcept { return totals.in_use.load(std::memory_order_relaxed); }

Found find_segment(const void *address) noexcept { return Registry::find(address); }

}  // namespace cactus
