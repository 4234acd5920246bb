// See live.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "live.h"

#include "../config/config.h"
#include "../worker/registry.h"

#include <cstddef>

/// Found by its name.
extern "C" [[gnu::used, gnu::visibility("default")]] constinit nopal::LivePage nopal_live_page{};

namespace nopal {

// Of no standard layout, since it has a base class with members; clang and gcc do it all the same.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static constexpr std::uint32_t kCounters = offsetof(Worker, counters);

void publish_live_page() noexcept {
  const stats::WorkerCounters::Offsets in = stats::WorkerCounters::offsets();
  nopal_live_page = {.magic = 0,
                     .version = LivePage::kVersion,
                     .nworkers = config().nworkers,
                     .count = registry().count_address(),
                     .table = registry().table_address(),
                     .steals = kCounters + in.steals,
                     .attempts = kCounters + in.attempts,
                     .time_ns = kCounters + in.time_ns,
                     .since_ns = kCounters + in.since_ns,
                     .activity = kCounters + in.activity,
                     .stacks = cactus::stack_lists()};
  // Last: a reader that sees it sees the rest.
  __atomic_store_n(&nopal_live_page.magic, LivePage::kMagic, __ATOMIC_RELEASE);
}

}  // namespace nopal
