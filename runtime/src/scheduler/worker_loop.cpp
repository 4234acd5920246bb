// See worker_loop.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_loop.h"

#include "../frame/join.h"
#include "../frame/sites.h"
#include "../idle/find_work.h"
#include "../platform/sanitizers.h"
#include "../stack/call_slow.h"
#include "../worker/segments.h"

#include <cactus/measure.h>

namespace nopal {
namespace {

/// The frame is exclusive: passes control to its fast clone. The calling segment, which holds only
/// a worker loop, is left for good.
[[noreturn]] void resume(nopal_frame *frame) noexcept {
  Thread &thread = this_thread();
  sanitizers::acquire(frame);
  const Context context(*frame);
  if (Thread *waiting = context.thread())
    leave_for_good(*thread.native, {.hand_off_target = waiting});
  leave_for_good(context.stack(), {});
}

/// Runs the continuation in `frame`, which this worker has taken. Returns the frame to resume, or
/// null. The thread may be another one afterwards.
nopal_frame *run_continuation(nopal_frame *frame) noexcept {
  sanitizers::acquire(frame);
  Stack *const here = this_thread().stack;
  here->continues = frame;  // for debuggers
  FrameJoin::count_steal(frame, this_worker().index);
  const nopal_site &site = site_of(frame);
  count_steal_at(site);
  nopal_frame *const exclusive = call_slow_clone(frame, site.slow, frame_address(site, frame));
  here->continues =
      nullptr;  // the loop's own segment, or a record in place: still the same, whatever the thread
  return exclusive;
}

/// Defers the trim of what the finished child touched on the stack that was left. Before the join:
/// afterwards another thread may run there.
void suspend(const SuspendedStack &left) noexcept {
  if (cactus::Segment *segment = left.stack->segment)
    segment->suspend(left.context, kept_below(), this_worker().deferred_trim);
}

/// Before a continuation begins to run on the calling segment.
void begin_path(const Stolen &stolen) noexcept {
  cactus::Segment &segment = *this_thread().stack->segment;
  Worker &worker = this_worker();
  const void *here = __builtin_frame_address(0);
  worker.deferred_trim.perform();
  segment.begin_path(stolen.depth, here, kept_below(), spare_bytes());
  worker.path.set(Path::continuation_of(stolen.frame, stolen.depth, segment.low(), here));
  if (cactus::is_measuring()) segment.grow_from(stolen.frame, here);
}

/// The runtime stops: back to the native stack.
[[noreturn]] void retire() noexcept { leave_for_good(*this_thread().native, {}); }

}  // namespace

void worker_loop(Departure departure) noexcept {
  if (nopal_frame *frame = departure.frame) {
    suspend(*departure.left);
    sanitizers::release(frame);
    if (FrameJoin::suspended_child_joins(frame, Context(*departure.left).word())) resume(frame);
  }
  for (;;) {
    const Stolen stolen = find_work(this_worker());
    if (stolen.frame == nullptr) retire();
    if (stolen.is_exclusive) {
      this_worker().deferred_trim.perform();
      resume(stolen.frame);
    }
    begin_path(stolen);
    if (nopal_frame *exclusive = run_continuation(stolen.frame)) resume(exclusive);
  }
}

nopal_frame *run_in_place(Stolen stolen) noexcept {
  Thread &self = this_thread();
  Stack *const around = self.stack;                    // null: an attached thread's own
  Stack here = around != nullptr ? *around : Stack{};  // for debuggers: a path begins
  self.stack = &here;
  const Path before = this_worker().path.get();
  const ExceptionGlobals exceptions = exchange_exception_globals({});
  this_worker().deferred_trim.perform();
  this_worker().path.set(
      Path::continuation_of(stolen.frame, stolen.depth, before.low, __builtin_frame_address(0)));
  nopal_frame *const exclusive = run_continuation(stolen.frame);
  this_worker().path.set(before);
  exchange_exception_globals(exceptions);
  self.stack = around;  // the thread is the same
  return exclusive;
}

Departure resume_from_native(SuspendedStack &native, nopal_frame *frame) noexcept {
  sanitizers::acquire(frame);
  return leave_for_suspended(native, Context(*frame).stack());
}

Departure worker_loop_without_segment(SuspendedStack &native) noexcept {
  for (;;) {
    const Stolen stolen = find_work(this_worker());
    if (stolen.frame == nullptr) return {};
    // What is called from here waits in place, so the thread stays the same.
    if (nopal_frame *exclusive = stolen.is_exclusive ? stolen.frame : run_in_place(stolen)) {
      if (Thread *waiting = Context(*exclusive).thread()) {
        sanitizers::acquire(exclusive);
        return {.hand_off_target = waiting};
      }
      return resume_from_native(native, exclusive);
    }
    if (cactus::Segment *segment = acquire_segment(this_worker().segments))
      return leave_for_fresh(native, *segment, worker_loop, {});
  }
}

}  // namespace nopal
