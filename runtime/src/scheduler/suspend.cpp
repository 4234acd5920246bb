// See suspend.h.
//
// Edge table
//   [W] helpers_in_place: each helper counts itself before it looks (seq_cst): the last of them
//       sees all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suspend.h"

#include "../frame/join.h"
#include "../hyper/finish.h"
#include "../idle/find_work.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../platform/sanitizers.h"
#include "../process/attach.h"
#include "../process/fork.h"
#include "../stack/switch.h"
#include "../worker/activity.h"
#include "../worker/chaos.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "worker_loop.h"

#include <cactus/measure.h>

#include <sched.h>

#include <atomic>

#include <cfenv>

namespace nopal {
namespace {

// Helpers that wait in place, and take no worker until they are granted one. [W]
std::atomic<std::size_t> helpers_in_place{0};

// About the least time to leave a stack and come back, with pages decommitted and touched again.
constexpr std::uint64_t kShortNs = 20'000;
// A steal costs some microseconds where steals are rare, so shorter waits are not worth one.
constexpr std::uint64_t kBeforeHelpNs = 5'000;
// As long as two threads take to wake on idle processors.
constexpr std::uint64_t kLongNs = 200'000;
// Continuations in place on one stack. Each costs the stack the slow clone and its callers here,
// which the serial program does not have.
constexpr std::uint32_t kMostNested = 32;
constexpr int kLooksBeforeYield = 32;  // with few cores the others need ours

void pause(int round) noexcept {
  if (round < kLooksBeforeYield)
    HardwareAtoms::spin_pause();
  else
    sched_yield();
}

/// How a wait without leaving the stack ended.
struct Wait {
  bool is_joined = false;  // all others have joined: the frame is the caller's
  nopal_frame *resumed_first =
      nullptr;  // else: an exclusive frame, a descendant, that this worker has to resume
};

/// A helper: looks for 20 us whether all others have joined, the caller's child apart.
Wait look_until_joined(nopal_frame *frame) noexcept {
  const std::uint64_t begun = now_ns();
  for (int round = 0; !FrameJoin::is_only_child_left(frame); ++round) {
    if (now_ns() - begun > kShortNs) return {};
    pause(round);
  }
  return {.is_joined = true};
}

/// An attached thread, on its own stack: after 5 us helps those who work on the frame's
/// continuation, as long as they have something to take. After that looks for 0.2 ms, or 20 us if
/// other workers have something. Floating point environment and exceptions being handled are as
/// before on return; the worker may be another one.
Wait help_until_joined(nopal_frame *frame) noexcept {
  std::fenv_t environment;  // with the sticky flags
  std::fegetenv(&environment);
  this_worker().floating_point.store(floating_point_control(),
                                     std::memory_order_relaxed);  // what steals compare with
  std::uint64_t begun = now_ns();
  for (int round = 0; !FrameJoin::is_only_child_left(frame); ++round) {
    refuse_if_forked();  // what we helped with may have done that
    const std::uint64_t waited = now_ns() - begun;
    if (waited < kBeforeHelpNs) {
      pause(round);
      continue;
    }
    const policy::Mark ours = this_worker().own_mark();
    const Stolen stolen =
        this_thread().helping < kMostNested ? steal_below(this_worker(), frame) : Stolen{};
    if (stolen.frame != nullptr) {
      ++this_thread().helping;
      nopal_frame *const exclusive = run_in_place(stolen);
      --this_thread().helping;
      activity::waits(this_worker());
      this_worker().run_path_of(ours);
      std::fesetenv(&environment);
      this_worker().floating_point.store(floating_point_control(),
                                         std::memory_order_relaxed);  // thieves: see Worker
      if (exclusive != nullptr) {
        refuse_if_forked();
        return {.resumed_first = exclusive};
      }
      begun = now_ns();
      round = 0;
      continue;
    }
    if (waited > kLongNs || (waited > kShortNs && is_work_visible())) return {};
    pause(round);
  }
  return {.is_joined = true};
}

/// Hands the worker to the thread that waits for `resumed_first`, which may be null, or to any
/// helper. Returns as WorkerRegistry::hand_to_helper.
bool hand_on(Worker &worker, nopal_frame *resumed_first) noexcept {
  if (Thread *waiting = resumed_first != nullptr ? Context(*resumed_first).thread() : nullptr) {
    sanitizers::acquire(resumed_first);
    waiting->give(Thread::kFirst + worker.index);
    return true;
  }
  worker.resumes = resumed_first;
  return registry().hand_to_helper(worker);
}

/// Joins, and waits on this stack, in this thread, until the frame is exclusive. The worker goes to
/// a helper meanwhile; on return the caller holds one, maybe another. For attached threads, and for
/// helpers without a segment. `resumed_first`, if not null, is an exclusive descendant of `frame`,
/// which the helper resumes before it looks for work. Cost: two hand-overs (some microseconds, or
/// the time that two idle processors take to wake).
void wait_in_place(nopal_frame *frame, nopal_frame *resumed_first) noexcept {
  Thread &self = this_thread();
  const Path path = self.worker->path.get();
  self.worker->counters.suspends.add();
  const void *here = __builtin_frame_address(0);
  cactus::Segment *segment = self.kind == Thread::Kind::kHelper ? self.stack->segment : nullptr;
  if (segment != nullptr) segment->decommit_below(here, kept_below());
  if (self.kind == Thread::Kind::kAttached && self.root == nullptr) adopt_root(self);
  if (self.root != nullptr) self.root->suspend(here, kept_below());
  sanitizers::release(frame);
  if (!FrameJoin::suspended_child_joins(frame, Context(self).word())) {
    // The frame may be resumed by now, and a worker granted to us: it waits in our word until we
    // look.
    const bool is_helper = self.kind == Thread::Kind::kHelper;
    if (is_helper) helpers_in_place.fetch_add(1, std::memory_order_seq_cst);  // [W]
    if (!hand_on(release_hold(self), resumed_first) && chaos::is_on() &&
        helpers_in_place.load(std::memory_order_seq_cst) >=
            registry().helpers())  // [W]; else one of them will take the worker
      fatal(
          "cannot run what CILK_CHAOS has stolen: no thread and no stack segment is left; raise "
          "the limits on memory and threads");
    take(self, registry().worker(self.wait_for_grant() - Thread::kFirst));
    self.worker->path.set(path);
    if (is_helper) helpers_in_place.fetch_sub(1, std::memory_order_seq_cst);  // [W]
  } else if (resumed_first != nullptr) {
    fatal("a frame is joined while a descendant of it waits to be resumed; report this");
  }
  if (self.root != nullptr) self.root->run(&self.worker->stacks);
  if (segment != nullptr) segment->run(&self.worker->stacks);
  self.worker->counters.resumes.add();
}

/// A helper: leaves its stack, joins on another, and returns when the frame is exclusive, on the
/// same stack but maybe in another thread. On a native stack, where only its thread may run, and
/// without a segment it waits in place.
void wait_off_stack(nopal_frame *frame) noexcept {
  Worker &leaving = this_worker();
  cactus::Segment *fresh =
      this_thread().stack->segment != nullptr ? acquire_segment(leaving.segments) : nullptr;
  if (fresh == nullptr) return wait_in_place(frame, nullptr);
  leaving.counters.suspends.add();
  SuspendedStack self;
  leave_for_fresh(self, *fresh, worker_loop, {.frame = frame});
  Worker &arriving = this_worker();
  arriving.counters.resumes.add();
  arriving.floating_point.store(floating_point_control(),
                                std::memory_order_relaxed);  // the switch has brought this stack's
}

}  // namespace

void suspend(nopal_frame *frame, bool has_thrown) noexcept {
  const hyper::Views views = this_worker().views.leave();
  activity::child_ends(this_worker(), frame);
  bool has_waited = false;
  if (!FrameJoin::is_only_child_left(frame)) {
    refuse_if_forked();
    activity::waits(this_worker());
    const bool is_attached = this_thread().kind == Thread::Kind::kAttached;
    // In chaos it is we who have what we would wait for.
    const Wait wait = chaos::is_on() ? Wait{}
                      : is_attached  ? help_until_joined(frame)
                                     : look_until_joined(frame);
    if (!wait.is_joined) {
      if (is_attached)
        wait_in_place(frame, wait.resumed_first);
      else
        wait_off_stack(frame);
    }
    has_waited = true;
  }
  sanitizers::acquire(frame);  // all children's
  if (has_waited) activity::goes_on(this_worker(), frame);
  activity::all_joined(this_worker(), frame);
  this_worker().run_path_of(policy::Mark::from_bits(frame->owner));
  hyper::resume(this_worker().views, frame, views, has_thrown);
  // Exceptions stay until nopal_raise_pending; without them the frame is as new.
  if ((frame->join & NOPAL_JOIN_THREW) == 0) FrameJoin::take_exceptions_and_reset(frame);
}

}  // namespace nopal
