// Where another process finds the workers' counters and the stacks: `nopal-view top` and
// `nopal-view run` read them with process_vm_readv (tools/view/live.py). The program writes this
// page once, at the start, and pays nothing while somebody reads.
//
// A reader checks `magic` and `version`, which grows when a field changes. Each number that it
// reads is one that the counter had; they are not of one instant. Checked by tests/view.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_LIVE_H
#define NOPAL_PROCESS_LIVE_H

#include <cactus/measure.h>

#include <cstdint>

namespace nopal {

struct LivePage {
  static constexpr std::uint64_t kMagic = 0x6576696c6c61706f;  // "opallive"
  static constexpr std::uint32_t kVersion = 2;

  std::uint64_t magic;  // 0 before the start
  std::uint32_t version;
  std::uint32_t nworkers;  // CILK_NWORKERS, or its default
  const void *count;       // std::uint32_t: how many workers there are
  const void *table;       // their addresses
  std::uint32_t steals;    // offsets in a worker, of a std::uint64_t, as the next one
  std::uint32_t attempts;
  std::uint32_t time_ns;   // of four: idle, working, stealing, parked; without what goes on
  std::uint32_t since_ns;  // when that began, on CLOCK_MONOTONIC
  std::uint32_t activity;  // of a byte: which of the four goes on
  cactus::StackLists stacks;
};

/// Caller: the start, under its mutex.
void publish_live_page() noexcept;

}  // namespace nopal

#endif
