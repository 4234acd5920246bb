// See worker_loop.h.
#include "worker_loop.h"

#include "../join/join.h"
#include "../worker/segments.h"
#include "call_slow.h"
#include "find_work.h"
#include "sanitizers.h"
#include "sites.h"

#include <cactus/measure.h>

#include <algorithm>

namespace nopal {
namespace {

/// The frame is exclusive: gives control to its fast clone. The calling segment is left for good, and holds nothing but a worker's loop.
[[noreturn]] void resume(nopal_frame *frame) noexcept {
  Thread &thread = this_thread();
  sanitizers::acquire(frame);
  if (auto *home = static_cast<Thread *>(frame->home)) leave_for_good(*thread.native, {.heir = home});
  leave_for_good(*static_cast<SuspendedStack *>(frame->context), {});
}

/// Runs the continuation in `frame`, which this worker has taken. Returns the frame to resume, or null. The thread may be another one afterwards.
nopal_frame *run_continuation(nopal_frame *frame) noexcept {
  sanitizers::acquire(frame);
  Stack *const here = this_thread().stack;
  here->continues = frame; // for debuggers
  FrameJoin::count_steal(frame);
  nopal_site &site = site_of(frame);
  count_steal_at(site);
  nopal_frame *const exclusive = call_slow_clone(frame, site.slow, frame_address(site, frame));
  here->continues = nullptr; // the loop's own segment: still the same, whatever the thread
  return exclusive;
}

/// The stack that was left gives back what the finished child dirtied. Before the join: afterwards somebody may run on it.
void come_to_rest(const SuspendedStack &left) noexcept {
  if (cactus::Segment *segment = left.stack->segment) segment->come_to_rest(left.context, kept_below());
}

/// A path on the calling segment is over: gives back what it dirtied, so that the next one that ends here is no longer than that of the serial
/// program. Before the search, and not behind it: the thief has not decided yet, so nobody waits.
void end_path() noexcept { this_thread().stack->segment->give_back_below(__builtin_frame_address(0), kept_below()); }

/// Before a continuation begins to run on the calling segment.
void begin_path(const nopal_frame *frame) noexcept {
  if (cactus::is_measuring()) this_thread().stack->segment->grow_from(frame, __builtin_frame_address(0));
}

/// The runtime stops: back to the native stack.
[[noreturn]] void retire() noexcept { leave_for_good(*this_thread().native, {}); }

} // namespace

void worker_loop(Departure departure) noexcept {
  if (nopal_frame *frame = departure.frame) {
    come_to_rest(*departure.left);
    sanitizers::release(frame);
    if (FrameJoin::suspended_child_joins(frame, departure.left, nullptr)) resume(frame);
  }
  for (;;) {
    nopal_frame *frame = find_work(this_worker());
    if (frame == nullptr) retire();
    begin_path(frame);
    if (nopal_frame *exclusive = run_continuation(frame)) resume(exclusive);
    end_path();
  }
}

Departure worker_loop_without_segment(SuspendedStack &native) noexcept {
  for (;;) {
    nopal_frame *frame = find_work(this_worker());
    if (frame == nullptr) return {};
    // Whoever is called from here and must wait does so in place: the thread is the same behind it.
    if (nopal_frame *exclusive = run_continuation(frame)) {
      sanitizers::acquire(exclusive);
      if (auto *home = static_cast<Thread *>(exclusive->home)) return {.heir = home};
      return leave_for_suspended(native, *static_cast<SuspendedStack *>(exclusive->context));
    }
    if (cactus::Segment *segment = acquire_segment(this_worker().segments)) return leave_for_fresh(native, *segment, worker_loop, {});
  }
}

} // namespace nopal
