// See worker_loop.h.
#include "worker_loop.h"

#include "../join/join.h"
#include "find_work.h"
#include "sites.h"

namespace nopal {
namespace {

/// The frame is exclusive: gives control to its fast clone. The calling segment is left for good, and holds nothing but a worker's loop.
[[noreturn]] void resume(nopal_frame *frame) noexcept {
  Thread &thread = this_thread();
  if (auto *home = static_cast<Thread *>(frame->home)) leave_for_good(*thread.native, {.heir = home});
  leave_for_good(*static_cast<SuspendedStack *>(frame->context), {});
}

/// Runs the continuation in `frame`, which this worker has taken. Returns the frame to resume, or null. The thread may be another one afterwards.
nopal_frame *run_continuation(nopal_frame *frame) noexcept {
  FrameJoin::count_steal(frame);
  nopal_site &site = site_of(frame);
  count_steal_at(site);
  return site.slow(frame);
}

/// The runtime stops: back to the native stack.
[[noreturn]] void retire() noexcept { leave_for_good(*this_thread().native, {}); }

} // namespace

void worker_loop(Departure departure) noexcept {
  if (nopal_frame *frame = departure.frame)
    if (FrameJoin::suspended_child_joins(frame, departure.left, nullptr)) resume(frame);
  for (;;) {
    nopal_frame *frame = find_work(this_worker());
    if (frame == nullptr) retire();
    if (nopal_frame *exclusive = run_continuation(frame)) resume(exclusive);
  }
}

} // namespace nopal
