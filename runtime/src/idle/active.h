// How many workers are active.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_ACTIVE_H
#define NOPAL_IDLE_ACTIVE_H

#include "../worker/registry.h"
#include "sleep.h"

#include <cstdint>

namespace nopal {

/// Workers that hold a thread and are neither parked nor poll: they work, search, or wait for their
/// turn. A hint. Cost: two loads.
inline std::uint32_t active_workers() noexcept {
  const SleepCounts now = sleep().counts();
  const std::uint32_t idle = std::uint32_t{now.polling} + now.parked;
  const std::uint32_t held = registry().held_count();
  return held > idle ? held - idle : 0;
}

}  // namespace nopal

#endif
