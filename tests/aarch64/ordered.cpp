// The lock-free code of the runtime, a function each, so that orders_test.py can look at the
// instructions that order memory.
#include "../../runtime/src/deque/deque.h"
#include "../../runtime/src/frame/join.h"
#include "../../runtime/src/frame/path.h"
#include "../../runtime/src/idle/alarm.h"
#include "../../runtime/src/idle/sleep_word.h"
#include "../../runtime/src/worker/grant.h"

using namespace nopal;

struct Member {
  Member *next;
};
using Deque64 = ContinuationDeque;
using Counts = SleepWord<HardwareAtoms, Member>;

extern "C" {
void slow_path(nopal_frame *);

// ---- The deque: the owner ----
void deque_push_fast(Deque64 &d, nopal_frame *f) { d.local().push_fast(f, slow_path); }
bool deque_pop_fast(Deque64 &d, nopal_frame *f) {
  return d.local().pop_fast(f, [](nopal_frame *) { return false; });
}
bool deque_push_out_of_line(Deque64 &d, nopal_frame *f) { return d.local().push_out_of_line(f); }
nopal_frame *deque_drain_oldest(Deque64 &d) { return d.local().drain_oldest(); }
void deque_expect_thief(Deque64 &d) { d.local().expect_thief(); }

// ---- Thieves ----
nopal_frame *deque_steal(Deque64 &d, void *thief) { return d.steal().steal(thief).frame; }
int64_t deque_steal_several(Deque64 &d, void *thief, nopal_frame **taken, int64_t n) {
  return d.steal()
      .steal_several(
          thief, taken, n, [n](int64_t) { return n; }, [](nopal_frame *) { return true; })
      .count;
}
bool deque_is_stealable(Deque64 &d) { return d.steal().is_stealable(); }

// ---- The join ----
bool join_child(nopal_frame *f) { return FrameJoin::child_joins(f); }
bool join_only_child(nopal_frame *f) { return FrameJoin::is_only_child_left(f); }
bool join_sync(nopal_frame *f) { return FrameJoin::sync_joins(f); }
bool join_lock(nopal_frame *f) { return FrameJoin::lock(f); }
void join_unlock(nopal_frame *f) { FrameJoin::unlock(f); }

// ---- Idle workers ----
void sleep_attach(Counts &c) { c.attach(); }
bool sleep_go_idle(Counts &c, Member &m) { return c.go_idle_locked(m); }
bool sleep_is_watched(const Counts &c) { return c.counts().is_watched(); }
void alarm_set(Alarm<HardwareAtoms> &a) { a.set(); }
void alarm_pushes_are_slow() { Alarm<HardwareAtoms>::pushes_are_slow(); }
int64_t alarm_push(Alarm<HardwareAtoms> &a) { return a.push(); }

// ---- The hand-over of a worker, and a path's lock ----
void grant_give(Grant<HardwareAtoms> &g) { g.give(7); }
[[gnu::flatten]] uint32_t grant_wait(Grant<HardwareAtoms> &g) { return g.wait(1, 1); }
void path_set(PublishedPath &p, const Path &path) { p.set(path); }
const void *path_get(const PublishedPath &p) { return p.get().low; }
}

// Out of line by themselves.
template void Deque64::Local::push_slow(nopal_frame *);
template bool Deque64::Local::pop_slow(nopal_frame *) noexcept;
