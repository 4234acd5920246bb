// See worker_loop.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_loop.h"

#include "../frame/join.h"
#include "../frame/sites.h"
#include "../idle/find_work.h"
#include "../idle/sleep.h"
#include "../platform/sanitizers.h"
#include "../stack/call_slow.h"
#include "../worker/activity.h"
#include "../worker/segments.h"

#include <cactus/measure.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nopal {
namespace {

/// The frame is exclusive: passes control to its fast clone. The calling segment, which holds only
/// a worker loop, is left for good.
[[noreturn]] void resume(nopal_frame *frame) noexcept {
  Thread &thread = this_thread();
  sanitizers::acquire(frame);
  const Context context(*frame);
  activity::begin_strand(this_worker(), nullptr);
  activity::goes_on(this_worker(), frame);
  if (Thread *waiting = context.thread())
    leave_for_good(*thread.native, {.hand_off_target = waiting});
  leave_for_good(context.stack(), {});
}

/// Runs the continuation that this worker has taken. Returns the frame to resume, or null. The
/// thread may be another one afterwards.
nopal_frame *run_continuation(const Stolen &stolen) noexcept {
  nopal_frame *const frame = stolen.frame;
  sanitizers::acquire(frame);
  Stack *const here = this_thread().stack;
  here->continues = frame;  // for debuggers
  FrameJoin::count_steal(frame, stolen.mark.bits());
  here->strand = frame->steals;
  this_worker().views.enter(hyper::Views::none());
  const nopal_site &site = site_of(frame);
  count_steal_at(site);
  activity::begin_continuation(this_worker(), site);
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

/// The worker is about to run the continuation of `origin`, whose path is `path`, and may have
/// taken others with it: these are pushed, oldest first, when all that thieves read with them is
/// set. The poller is called if it wants to be. While the deque holds such, a thread that waits for
/// `origin` must not take the oldest for a descendant of it, so the path has no origin then.
void set_path(Worker &worker, Path path) noexcept {
  const auto others = static_cast<std::size_t>(std::max<std::int64_t>(worker.batch.count - 1, 0));
  if (others > 0 || worker.deque.bottom_position() > 0) path.origin = nullptr;
  worker.path.set(path);
  if (worker.batch.count == 0) return;
  worker.batch.count = 0;
  if (others == 0) return;
  Thread &thread = this_thread();
  thread.is_in_push = true;
  for (std::size_t i = 0; i < others; ++i) {
    nopal_frame *const frame = worker.batch.frames[i];
    sanitizers::acquire(frame);
    sanitizers::release(frame);
    worker.deque.local().push_slow(frame);
  }
  sleep().pushed_slowly();
  thread.is_in_push = false;
}

/// Before a continuation begins to run on the calling segment.
void begin_path(const Stolen &stolen) noexcept {
  cactus::Segment &segment = *this_thread().stack->segment;
  Worker &worker = this_worker();
  const void *here = __builtin_frame_address(0);
  worker.deferred_trim.perform();
  segment.begin_path(stolen.depth, here, kept_below(), spare_bytes());
  set_path(worker, Path::continuation_of(stolen.frame, stolen.depth, segment.low(), here));
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
    if (nopal_frame *exclusive = run_continuation(stolen)) resume(exclusive);
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
  set_path(this_worker(), Path::continuation_of(stolen.frame, stolen.depth, before.low,
                                                __builtin_frame_address(0)));
  const nopal_site *const site_before = this_worker().strand_site;
  nopal_frame *const exclusive = run_continuation(stolen);
  activity::begin_strand(this_worker(), exclusive == nullptr ? site_before : nullptr);
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
