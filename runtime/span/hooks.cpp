// The hooks that compiled code calls, and the functions that a program calls.
//
// One that reads the clock does so first: what it does itself counts for the strand that begins.
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

void nopal_hook_leave(nopal_hook_site *) { Tool::entered_meter().leave(); }

void __nopal_span_spawn(nopal_hook_site *site, uint32_t code) {
  Meter &meter = Tool::entered_meter();
  meter.spawn(Tool::index_of(*site, meter), code);
}

void __nopal_span_enter_spawn(nopal_hook_site *site, uint32_t code) {
  Meter &meter = Tool::meter();
  meter.enter();
  meter.spawn(Tool::index_of(*site, meter), code);
}

void __nopal_span_return(uint32_t code) { Tool::entered_meter().child_return(code); }

void __nopal_span_sync(uint32_t code) { Tool::entered_meter().sync(code); }

void __nopal_span_sync_leave(uint32_t code) {
  Meter &meter = Tool::entered_meter();
  meter.sync(code);
  meter.leave();
}

// Of code that the compiler says nothing of.

void nopal_hook_spawn(nopal_hook_site *site) { __nopal_span_spawn(site, NOPAL_SPAN_LONG); }

void nopal_hook_return(nopal_hook_site *) { __nopal_span_return(NOPAL_SPAN_LONG); }

void nopal_hook_sync(nopal_hook_site *) { __nopal_span_sync(NOPAL_SPAN_LONG); }

uint64_t nopal_hook_loop(nopal_hook_site *site, uint64_t count, uint64_t grain, uint64_t least) {
  Meter &meter = Tool::meter();
  meter.loop(Tool::index_of(*site, meter));
  if (grain != 0) return grain;
  return std::max({std::uint64_t{1}, least, std::min(kMostIterations, count / kLeaves)});
}

void nopal_hook_leaf(nopal_hook_site *, uint64_t, uint64_t) { Tool::entered_meter().leaf(); }

void nopal_hook_leaf_end(nopal_hook_site *) { Tool::entered_meter().leaf_end(); }

void nopal_hook_loop_end(nopal_hook_site *) { Tool::entered_meter().loop_end(); }

void nopal_hook_fresh(void *, uint64_t) {}

void nopal_hook_unseen(const char *file, uint32_t line, uint32_t column) {
  Tool::get().note_unseen(file, line, column);
}

void nopal_span_count(uint64_t ticks) { Tool::get().clock.count(static_cast<Ticks>(ticks)); }

void nopal_span_begin(const char *name) { Tool::get().begin_region(name); }

void nopal_span_end(void) { Tool::get().end_region(); }

wsp_t wsp_getworkspan(void) noexcept {
  Tool &tool = Tool::get();
  Meter &meter = Tool::meter();
  meter.stop();
  const auto ns = [&](Ticks ticks) {
    return static_cast<int64_t>(tool.clock.to_ns(static_cast<double>(ticks)));
  };
  const nopal::span::WorkSpan total = meter.total();
  const wsp_t result = {ns(total.work), ns(total.span), ns(total.burdened_span)};
  meter.go_on();
  return result;
}

void wsp_dump(wsp_t wsp, const char *tag) {
  Tool &tool = Tool::get();
  Meter &meter = Tool::meter();
  meter.stop();
  const auto ticks = [&](int64_t ns) { return tool.clock.to_ticks(static_cast<double>(ns)); };
  tool.dump({ticks(wsp.work), ticks(wsp.span), ticks(wsp.bspan)}, tag);
  meter.go_on();
}
}
