// The entry points that clones call: pushes and pops that are not fast, suspend, leave, sync,
// throw, raise.
//
// Contracts: nopal_abi.h. The states of a frame: runtime/README.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../abi/nopal_abi.h"
#include "../frame/exceptions.h"
#include "../frame/join.h"
#include "../hyper/finish.h"
#include "../idle/sleep.h"
#include "../idle/turns.h"
#include "../platform/fatal.h"
#include "../platform/hooks_tool.h"
#include "../platform/sanitizers.h"
#include "../process/attach.h"
#include "../process/runtime.h"
#include "../stack/switch.h"
#include "../worker/activity.h"
#include "../worker/chaos.h"
#include "suspend.h"

namespace nopal {
namespace {

/// Ends the process at a spawn in a signal handler: nothing else spawns while its thread waits,
/// looks for work or is in a slow push. What is interrupted in a fast push or pop the deque finds
/// (deque/README.md).
void refuse_if_interrupting(const Thread &self) noexcept {
  const char *interrupted = nullptr;
  if (self.is_in_push)
    interrupted = "is in the midst of a spawn";
  else if (self.worker == nullptr && self.kind == Thread::Kind::kAttached)
    interrupted = "waits at a sync";
  else if (self.worker != nullptr && self.worker->counters.activity() != stats::Activity::kWorking)
    interrupted = "looks for work";
  if (interrupted != nullptr) [[unlikely]]
    fatal(
        "a signal handler spawns in a thread that %s: a spawn is not async-signal-safe; set a flag "
        "in the handler, or write "
        "to a pipe, and spawn elsewhere",
        interrupted);
}

/// The slow clone's strand has ended. `has_thrown`: by an exception, which is kept.
void finish_strand(nopal_frame *frame, bool has_thrown) noexcept {
  Thread &self = this_thread();
  hyper::finish(self.worker->views, frame, self.stack->strand, has_thrown);
}

nopal_frame *leave(nopal_frame *frame, bool has_thrown) noexcept {
  finish_strand(frame, has_thrown);
  activity::child_ends(this_worker(), frame);
  sanitizers::release(frame);
  return FrameJoin::child_joins(frame) ? frame : nullptr;
}

/// Takes the exception that the sync of `region` raises, or null. While an exception of an outer
/// region waits, which is serially earlier, what the strand does from here on does not count.
void *exception_of(nopal_frame *frame, std::uint32_t region) noexcept {
  const TakenExceptions taken = take_kept(frame, region);
  hyper::CurrentViews &views = this_worker().views;
  if (taken.leaves_some)
    views.begin_void(frame);
  else
    views.end_void(frame);
  return taken.first;
}

nopal_frame *reach_sync(nopal_frame *frame, std::uint32_t resume, bool has_thrown) noexcept {
  finish_strand(frame, has_thrown);
  frame->resume = resume;
  activity::continuation_ends(this_worker(), frame);
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
#define NOPAL_OLDER_ABI(version) \
  __asm__(".pushsection .gnu.warning.nopal_abi_version_" #version ", \"\", @progbits\n"   \
          ".asciz \"this object was compiled for version " #version " of Nopal's ABI and "\
          "the runtime has version " NOPAL_STRING(NOPAL_ABI_VERSION) "; compile it again "\
          "with the compiler of this runtime\"\n.popsection")
NOPAL_OLDER_ABI(1);
NOPAL_OLDER_ABI(2);
NOPAL_OLDER_ABI(3);
static_assert(NOPAL_ABI_VERSION == 4, "the list above");

/// A push that is slow not only because pops fence. Keeps registers as its caller must.
[[gnu::noinline, gnu::cold, clang::preserve_most]] static void push_for_other_reasons(
    nopal_frame *frame) {
  Thread &self = this_thread();
  refuse_if_interrupting(self);
  if (self.worker == nullptr) {
    // It would wait for the lock that stop() holds while it waits for this thread.
    if (self.kind == Thread::Kind::kHelper)
      fatal(
          "a thread_local object's destructor spawns on a worker while the runtime stops, or a "
          "signal handler spawns there; let it do its "
          "work serially");
    attach(self);
    if (const nopal_site &site = site_of(frame); has_hooks_tool())
      nopal_hook_unseen(site.file, site.line, site.column);
  }
  self.is_in_push = true;
  Worker &worker = *self.worker;
  if (worker.restarts_helpers) [[unlikely]] {
    worker.restarts_helpers = false;
    start();
  }
  const nopal_site &site = site_of(frame);  // a thief may name the next one
  activity::push_begins(worker, site);
  sanitizers::release(frame);
  worker.deque.local().push_slow(frame);
  if (chaos::is_on()) chaos::maybe_steal_from(worker);
  sleep().pushed_slowly([&worker] { worker.deque.local().expect_thief(); });
  if (turns::allotment() != turns::kUnlimited) turns::wait_after_push(worker);
  activity::push_ends(worker, site);
  self.is_in_push = false;
}

void nopal_push_slow(nopal_frame *frame) {
  if (!nopal_tls_worker->deque.local().push_out_of_line(frame)) push_for_other_reasons(frame);
}

int nopal_pop_slow(nopal_frame *frame) { return this_worker().deque.local().pop_slow(frame); }

void nopal_suspend(nopal_frame *frame) {
  refuse_if_interrupting(this_thread());
  suspend(frame, false);
}

void nopal_suspend_thrown(nopal_frame *frame, void *unwind_exception, std::uint32_t region) {
  keep_exception(frame, unwind_exception, kFirstChild, region);
  refuse_if_interrupting(this_thread());
  suspend(frame, true);
}

nopal_frame *nopal_leave(nopal_frame *frame) { return leave(frame, false); }

nopal_frame *nopal_leave_thrown(nopal_frame *frame, void *unwind_exception, std::int64_t order,
                                std::uint32_t region) {
  keep_exception(frame, unwind_exception, child_after(order), region);
  return leave(frame, true);
}

nopal_frame *nopal_sync(nopal_frame *frame, std::uint32_t resume) {
  return reach_sync(frame, resume, false);
}

nopal_frame *nopal_throw(nopal_frame *frame, void *unwind_exception, std::uint32_t resume,
                         std::uint32_t region) {
  keep_exception(frame, unwind_exception, kContinuation, region);
  return reach_sync(frame, resume, true);
}

void nopal_raise_pending(nopal_frame *frame, std::uint32_t region) {
  if (void *exception = exception_of(frame, region)) raise_taken(exception);
}

void nopal_merge_pending(nopal_frame *frame, void *unwind_exception, std::uint32_t region) {
  keep_exception(frame, unwind_exception, kContinuation, region);
  raise_taken(exception_of(frame, region));
}

void nopal_discard_pending(nopal_frame *frame, std::uint32_t region) {
  if (void *exception = exception_of(frame, region)) destroy_taken(exception);
}

}  // extern "C"
