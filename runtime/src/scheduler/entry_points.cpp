// The entry points that clones call: pushes and pops that are not fast, suspend, leave, sync, throw, raise. Contracts: nopal_abi.h; the states
// of a frame: runtime/README.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../abi/nopal_abi.h"
#include "attach.h"
#include "../worker/chaos.h"
#include "../frame/exceptions.h"
#include "../platform/fatal.h"
#include "../frame/join.h"
#include "../platform/floating_point.h"
#include "../worker/segments.h"
#include "fork.h"
#include "patience.h"
#include "runtime.h"
#include "../platform/sanitizers.h"
#include "../stack/switch.h"
#include "worker_loop.h"

namespace nopal {
namespace {

/// A spawn of a signal handler: nothing else spawns while its thread waits, looks for work or is in the midst of a push
/// that is not fast. What is interrupted in the midst of a fast push or pop the deque finds (deque/README.md).
void refuse_if_interrupting(const Thread &self) noexcept {
  const char *interrupted = nullptr;
  if (self.is_in_push)
    interrupted = "is in the midst of a spawn";
  else if (self.worker == nullptr && self.kind == Thread::Kind::kAttached)
    interrupted = "waits at a sync";
  else if (self.worker != nullptr && self.worker->counters.activity() != stats::Activity::kWorking)
    interrupted = "looks for work";
  if (interrupted != nullptr) [[unlikely]]
    fatal("a signal handler spawns in a thread that %s: a spawn is not async-signal-safe; set a flag in the handler, or write "
          "to a pipe, and spawn elsewhere",
          interrupted);
}

/// A helper: leaves its stack, joins off it, and comes back when the frame is exclusive, on the same stack but maybe in another thread. On a
/// native stack, which only its thread may run on, and without a segment to go on with it waits where it is, as an attached thread does.
void wait_off_stack(nopal_frame *frame) noexcept {
  Worker &leaving = this_worker();
  cactus::Segment *fresh = this_thread().stack->segment != nullptr ? acquire_segment(leaving.segments) : nullptr;
  if (fresh == nullptr) return wait_in_place(frame, nullptr);
  leaving.counters.suspends.add();
  SuspendedStack self;
  leave_for_fresh(self, *fresh, worker_loop, {.frame = frame});
  Worker &arriving = this_worker();
  arriving.counters.resumes.add();
  arriving.floating_point.store(floating_point_control(), std::memory_order_relaxed);  // the switch has brought this stack's
}

/// The child of a fast clone is done and its parent's continuation was stolen. Returns when the frame is exclusive.
void suspend(nopal_frame *frame) noexcept {
  refuse_if_interrupting(this_thread());
  if (!FrameJoin::is_only_child_left(frame)) {
    refuse_if_forked();
    const bool is_attached = this_thread().kind == Thread::Kind::kAttached;
    // In chaos it is we who have what we would wait for.
    const Patience patience = chaos::is_on() ? Patience{} : is_attached ? help_until_joined(frame) : look_until_joined(frame);
    if (!patience.is_joined) {
      if (is_attached)
        wait_in_place(frame, patience.resumed_first);
      else
        wait_off_stack(frame);
    }
  }
  sanitizers::acquire(frame);  // all children's
  // Exceptions stay until nopal_raise_pending; without them the frame is as new.
  if ((frame->join & NOPAL_JOIN_THREW) == 0) FrameJoin::take_exceptions_and_reset(frame);
}

nopal_frame *leave(nopal_frame *frame) noexcept {
  sanitizers::release(frame);
  return FrameJoin::child_joins(frame) ? frame : nullptr;
}

nopal_frame *reach_sync(nopal_frame *frame, std::uint32_t resume) noexcept {
  frame->resume = resume;
  sanitizers::release(frame);
  return FrameJoin::sync_joins(frame) ? frame : nullptr;
}

}  // namespace
}  // namespace nopal

using namespace nopal;

extern "C" {

const char NOPAL_ABI_VERSION_NAME = 1;

// What GNU ld prints beside its error when an object of an older version refers to that version's
// symbol, which is not defined. Other linkers, and the dynamic linker, name the symbol alone.
#define NOPAL_OLDER_ABI(version)                                                          \
  __asm__(".pushsection .gnu.warning.nopal_abi_version_" #version ", \"\", @progbits\n"   \
          ".asciz \"this object was compiled for version " #version " of Nopal's ABI and "\
          "the runtime has version " NOPAL_STRING(NOPAL_ABI_VERSION) "; compile it again "\
          "with the compiler of this runtime\"\n.popsection")
NOPAL_OLDER_ABI(1);
NOPAL_OLDER_ABI(2);
NOPAL_OLDER_ABI(3);
static_assert(NOPAL_ABI_VERSION == 4, "the list above");

/// What else a push may come for than pops that fence. Keeps registers as its caller has to.
[[gnu::noinline, gnu::cold, clang::preserve_most]] static void push_for_other_reasons(nopal_frame *frame) {
  Thread &self = this_thread();
  refuse_if_interrupting(self);
  if (self.worker == nullptr) {
    // It would wait for the lock that stop() holds while it waits for this thread.
    if (self.kind == Thread::Kind::kHelper)
      fatal("a thread_local object's destructor spawns on a worker while the runtime stops, or a signal handler spawns there; let it do its "
            "work serially");
    attach(self);
  }
  self.is_in_push = true;
  Worker &worker = *self.worker;
  if (worker.restarts_helpers) [[unlikely]] {
    worker.restarts_helpers = false;
    start();
  }
  sanitizers::release(frame);
  worker.deque.local().push_slow(frame);
  if (chaos::is_on()) chaos::maybe_steal_from(worker);
  sleep().pushed_slowly([&worker] { worker.deque.local().expect_thief(); });
  self.is_in_push = false;
}

void nopal_push_slow(nopal_frame *frame) {
  if (!nopal_tls_worker->deque.local().push_out_of_line(frame)) push_for_other_reasons(frame);
}

int nopal_pop_slow(nopal_frame *frame) { return this_worker().deque.local().pop_slow(frame); }

void nopal_suspend(nopal_frame *frame) { suspend(frame); }

void nopal_suspend_thrown(nopal_frame *frame, void *unwind_exception, std::uint32_t region) {
  keep_exception(frame, unwind_exception, kFirstChild, region);
  suspend(frame);
}

nopal_frame *nopal_leave(nopal_frame *frame) { return leave(frame); }

nopal_frame *nopal_leave_thrown(nopal_frame *frame, void *unwind_exception, std::int64_t order, std::uint32_t region) {
  keep_exception(frame, unwind_exception, child_after(order), region);
  return leave(frame);
}

nopal_frame *nopal_sync(nopal_frame *frame, std::uint32_t resume) { return reach_sync(frame, resume); }

nopal_frame *nopal_throw(nopal_frame *frame, void *unwind_exception, std::uint32_t resume, std::uint32_t region) {
  keep_exception(frame, unwind_exception, kContinuation, region);
  return reach_sync(frame, resume);
}

void nopal_raise_pending(nopal_frame *frame, std::uint32_t region) { raise_kept(frame, region); }

void nopal_merge_pending(nopal_frame *frame, void *unwind_exception, std::uint32_t region) {
  keep_exception(frame, unwind_exception, kContinuation, region);
  raise_kept(frame, region);
}

void nopal_discard_pending(nopal_frame *frame, std::uint32_t region) { discard_kept(frame, region); }

}  // extern "C"
