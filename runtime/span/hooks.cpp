// The hooks that compiled code calls, and the functions that a program calls.
//
// Each reads the clock first, so that what it does itself counts for the strand that begins.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tool.h"

#include <algorithm>

// Only what these declare is seen from outside.
#define __cilkscale__ 1
#pragma GCC visibility push(default)
#include <cilk/cilkscale.h>
#include <cilk/measure.h>
#pragma GCC visibility pop

using nopal::span::Meter;
using nopal::span::Ticks;
using nopal::span::Tool;

namespace {

// As if for 64 workers, in the way of nopal_loop_grain: the answer is to hold for many processors,
// and is the same on each machine.
constexpr std::uint64_t kLeaves = 8 * 64, kMostIterations = 2048;

}  // namespace

extern "C" {

void nopal_hook_enter(nopal_hook_site *) { Tool::meter().enter(); }

void nopal_hook_leave(nopal_hook_site *) { Tool::meter().leave(); }

void nopal_hook_spawn(nopal_hook_site *site) {
  Meter &meter = Tool::meter();
  Tool &tool = Tool::get();
  const Ticks now = tool.clock.now();
  meter.spawn(tool.sites.index_of(*site), now);
}

void nopal_hook_return(nopal_hook_site *) {
  const Ticks now = Tool::get().clock.now();
  Tool::meter().child_return(now);
}

void nopal_hook_sync(nopal_hook_site *) {
  Meter &meter = Tool::meter();
  if (meter.has_children()) meter.sync(Tool::get().clock.now());
}

uint64_t nopal_hook_loop(nopal_hook_site *site, uint64_t count, uint64_t grain, uint64_t least) {
  Meter &meter = Tool::meter();
  Tool &tool = Tool::get();
  const Ticks now = tool.clock.now();
  meter.loop(tool.sites.index_of(*site), now);
  if (grain != 0) return grain;
  return std::max({std::uint64_t{1}, least, std::min(kMostIterations, count / kLeaves)});
}

void nopal_hook_leaf(nopal_hook_site *, uint64_t, uint64_t) {
  Tool::meter().leaf(Tool::get().clock.now());
}

void nopal_hook_leaf_end(nopal_hook_site *) {
  const Ticks now = Tool::get().clock.now();
  Tool::meter().leaf_end(now);
}

void nopal_hook_loop_end(nopal_hook_site *) { Tool::meter().loop_end(Tool::get().clock.now()); }

void nopal_hook_fresh(void *, uint64_t) {}

void nopal_span_count(uint64_t ticks) { Tool::get().clock.count(static_cast<Ticks>(ticks)); }

void nopal_span_begin(const char *name) { Tool::get().begin_region(name); }

void nopal_span_end(void) { Tool::get().end_region(); }

wsp_t wsp_getworkspan(void) noexcept {
  Tool &tool = Tool::get();
  Meter &meter = Tool::meter();
  meter.strand(tool.clock.now());
  const auto ns = [&](Ticks ticks) {
    return static_cast<int64_t>(tool.clock.to_ns(static_cast<double>(ticks)));
  };
  const nopal::span::WorkSpan total = meter.total();
  const wsp_t result = {ns(total.work), ns(total.span), ns(total.burdened_span)};
  meter.skip(tool.clock.now());
  return result;
}

void wsp_dump(wsp_t wsp, const char *tag) {
  Tool &tool = Tool::get();
  Meter &meter = Tool::meter();
  meter.strand(tool.clock.now());
  const auto ticks = [&](int64_t ns) { return tool.clock.to_ticks(static_cast<double>(ns)); };
  tool.dump({ticks(wsp.work), ticks(wsp.span), ticks(wsp.bspan)}, tag);
  meter.skip(tool.clock.now());
}
}
