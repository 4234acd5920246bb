// The hooks of the serial lowering (nopal_hooks.h): what is active changes, and with it the serial
// time. Also the functions of <cilk/race.h>.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"
#include "nopal_race.h"
#include "process.h"

using namespace nopal::race;

namespace {

/// A continuation of the innermost function or loop ends: by another child, or by a sync.
inline void end_continuation(Detector &detector) {
  if (detector.views.are_none()) return;
  detector.views.reduce(detector.strands.active().size() - 1,
                        detector.strands.outer_continuation());
  detector.update_usual();
}

template <class Change>
inline void hook(Change change) {
  if (!Detector::begin_hook()) return;
  Detector &detector = Detector::get();
  change(detector.strands);
  detector.end_hook();
}

// What the hooks of functions and children do where the short form of each, below, is not enough:
// on another thread, at the first hook, with locks, views, or while accesses are ignored. They save
// all registers, so that the short forms need not.

[[gnu::noinline, gnu::cold, clang::preserve_most]] void enter_unusually(
    const nopal_hook_site *function, const void *frame) {
  hook([=](Strands &strands) { strands.enter(function, frame); });
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void sync_unusually() {
  hook([](Strands &strands) { strands.sync(); });
  if (Detector::is_checked_thread()) end_continuation(Detector::get());
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void leave_unusually() {
  if (Detector::is_checked_thread() && !Detector::get().strands.is_all_waited_for())
    sync_unusually();
  hook([](Strands &strands) { strands.leave(); });
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void spawn_unusually(const nopal_hook_site *site,
                                                                        const void *frame) {
  hook([=](Strands &strands) {
    strands.spawn(site, frame);
    Detector::get().trail.begin(site, 0, strands.now());
  });
  if (Detector::is_checked_thread()) Detector::get().share_locks();
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void return_unusually() {
  hook([](Strands &strands) {
    strands.child_return();
    Detector::get().trail.end(strands.ended());
  });
  if (Detector::is_checked_thread()) end_continuation(Detector::get());
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void leaf_unusually(const nopal_hook_site *site,
                                                                       const void *frame,
                                                                       std::uint64_t iteration) {
  hook([=](Strands &strands) {
    strands.leaf(site, frame, iteration);
    Detector::get().trail.begin(site, iteration, strands.now());
  });
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void leaf_end_unusually() {
  hook([](Strands &strands) {
    strands.leaf_end();
    Detector::get().trail.end(strands.ended());
  });
  if (Detector::is_checked_thread()) end_continuation(Detector::get());
}

[[gnu::noinline, gnu::cold, clang::preserve_most]] void iteration_unusually(std::uint64_t index) {
  hook([=](Strands &strands) {
    const Active leaf = strands.active().back();
    strands.leaf_end();
    Detector::get().trail.end(strands.ended());
    strands.leaf(leaf.site, leaf.frame, index);
    Detector::get().trail.begin(leaf.site, index, strands.now());
  });
}

/// Neither what may run in parallel changes, nor the time.
inline void enter(const nopal_hook_site *function, const void *frame) {
  if (own_state.is_usual) [[likely]]
    Detector::get().strands.enter(function, frame);
  else
    enter_unusually(function, frame);
}

/// All children are waited for.
inline void leave() {
  if (!own_state.is_usual) [[unlikely]]
    return leave_unusually();
  Detector &detector = Detector::get();
  if (detector.strands.is_all_waited_for()) return detector.strands.leave();
  detector.strands.leave();
  detector.end_hook();
}

inline bool is_usual(const nopal_hook_site *site) { return own_state.is_usual && site->tool; }

/// A view that the strand has not used yet is the identity.
void *view_of(void *hyperobject, const ViewOrigin &origin, Here here) {
  Detector &detector = Detector::get();
  void *const view = detector.views.view(detector.strands.continuation(), hyperobject, origin);
  detector.use_of(hyperobject, here);
  detector.update_usual();
  return view;
}

void begin(void *hyperobject) {
  Detector &detector = Detector::get();
  detector.forget_uses(reinterpret_cast<Address>(hyperobject), 1);
  detector.views.begin(detector.strands.continuation(), hyperobject);
  detector.update_usual();
}

void end(void *hyperobject, Here here) {
  Detector::get().end_of(hyperobject, here);
  Detector::get().views.end(hyperobject);
}

}  // namespace

extern "C" {

void nopal_hook_enter(nopal_hook_site *function) { enter(function, NOPAL_RACE_HERE.frame); }

void nopal_hook_leave(nopal_hook_site *) { leave(); }

/// The beginning and the end of a function that spawns, with those of its frame.
void __nopal_race_enter(const void *call, const void *function, nopal_hook_site *site) {
  const void *const frame = NOPAL_RACE_HERE.frame;
  begin_frame(call, function, frame);
  enter(site, frame);
}

void __nopal_race_leave(nopal_hook_site *) {
  leave();
  end_frame(NOPAL_RACE_HERE.frame);
}

void nopal_hook_spawn(nopal_hook_site *site) {
  const void *const frame = NOPAL_RACE_HERE.frame;
  if (!is_usual(site)) [[unlikely]]
    return spawn_unusually(site, frame);
  Detector &detector = Detector::get();
  detector.strands.spawn(site, frame);
  detector.trail.begin_known_child(site, detector.strands.now());
  detector.end_parallel_hook();
}

/// The same, and the child's frame begins.
void __nopal_race_spawn(nopal_hook_site *site, const void *function) {
  const Here here = NOPAL_RACE_HERE;
  if (!is_usual(site)) [[unlikely]] {
    spawn_unusually(site, here.frame);
    begin_frame(here.code, function, __builtin_frame_address(0));
    return;
  }
  Detector &detector = Detector::get();
  detector.strands.spawn(site, here.frame);
  detector.trail.begin_known_child(site, detector.strands.now(), here.code, function);
  detector.end_parallel_hook();
  Detector::leave_frame(__builtin_frame_address(0));
}

void nopal_hook_return(nopal_hook_site *) {
  Detector::leave_frame(__builtin_frame_address(0));
  if (!own_state.is_usual) [[unlikely]]
    return return_unusually();
  Detector &detector = Detector::get();
  detector.strands.child_return();
  detector.trail.end(detector.strands.ended());
  detector.end_parallel_hook();
}

void nopal_hook_sync(nopal_hook_site *) {
  if (!own_state.is_usual) [[unlikely]]
    return sync_unusually();
  Detector::get().strands.sync();
  Detector::get().end_hook();
}

/// Each iteration is a strand of its own, whatever the grain. Where the compiler can tell what each
/// iteration accesses, it ignores the result, and asks __nopal_race_may_conflict in the leaf.
std::uint64_t nopal_hook_loop(nopal_hook_site *site, std::uint64_t, std::uint64_t, std::uint64_t) {
  const void *const frame = NOPAL_RACE_HERE.frame;
  hook([=](Strands &strands) { strands.loop(site, frame); });
  if (Detector::is_checked_thread()) Detector::get().share_locks();
  return 1;
}

void nopal_hook_leaf(nopal_hook_site *site, std::uint64_t low, std::uint64_t high) {
  const void *const frame = NOPAL_RACE_HERE.frame;
  const std::uint64_t iteration = high - low == 1 ? low : kSomeIteration;
  if (!is_usual(site)) [[unlikely]]
    return leaf_unusually(site, frame, iteration);
  Detector &detector = Detector::get();
  detector.strands.leaf(site, frame, iteration);
  detector.trail.begin_known_iteration(site, iteration, detector.strands.now());
  detector.end_parallel_hook();
}

void nopal_hook_leaf_end(nopal_hook_site *) {
  if (!own_state.is_usual) [[unlikely]]
    return leaf_end_unusually();
  Detector &detector = Detector::get();
  detector.strands.leaf_end();
  detector.trail.end(detector.strands.ended());
  detector.end_parallel_hook();
}

/// In a leaf that runs its iterations one by one.
void __nopal_race_iteration(std::uint64_t index) {
  if (!own_state.is_usual) [[unlikely]]
    return iteration_unusually(index);
  Detector &detector = Detector::get();
  const Active leaf = detector.strands.active().back();
  detector.strands.leaf_end();
  detector.trail.end(detector.strands.ended());
  detector.strands.leaf(leaf.site, leaf.frame, index);
  detector.trail.begin_known_iteration(leaf.site, index, detector.strands.now());
  detector.end_parallel_hook();
}

void nopal_hook_loop_end(nopal_hook_site *) {
  hook([](Strands &strands) { strands.loop_end(); });
}

void *__nopal_race_nopal_view(nopal_strand *strand, void *hyperobject,
                              const nopal_view_type *type) {
  if (!Detector::is_checked_thread()) return nopal_view(strand, hyperobject, type);
  return view_of(hyperobject, ViewOrigin::of(*type), NOPAL_RACE_HERE);
}

void *__nopal_race_nopal_view_now(void *hyperobject, const nopal_view_type *type) {
  if (!Detector::is_checked_thread()) return nopal_view_now(hyperobject, type);
  return view_of(hyperobject, ViewOrigin::of(*type), NOPAL_RACE_HERE);
}

void *__nopal_race___cilkrts_reducer_lookup(void *key, std::size_t size, void *identity,
                                            void *reduce) {
  if (!Detector::is_checked_thread()) return __cilkrts_reducer_lookup(key, size, identity, reduce);
  return view_of(key, ViewOrigin::of(size, identity, reduce), NOPAL_RACE_HERE);
}

void __nopal_race_nopal_view_begin(void *hyperobject) {
  if (!Detector::is_checked_thread()) return nopal_view_begin(hyperobject);
  begin(hyperobject);
}

void __nopal_race_nopal_view_end(void *hyperobject, void **lifetime) {
  if (!Detector::is_checked_thread()) return nopal_view_end(hyperobject, lifetime);
  end(hyperobject, NOPAL_RACE_HERE);
}

void __nopal_race_nopal_views_begin(void *first, std::uint64_t count, std::uint64_t stride) {
  if (!Detector::is_checked_thread()) return nopal_views_begin(first, count, stride);
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride) begin(one);
}

void __nopal_race_nopal_views_end(void *first, std::uint64_t count, std::uint64_t stride) {
  if (!Detector::is_checked_thread()) return nopal_views_end(first, count, stride);
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride)
    end(one, NOPAL_RACE_HERE);
}

void __nopal_race___cilkrts_reducer_register(void *key, std::size_t, void *, void *) {
  __nopal_race_nopal_view_begin(key);
}

void __nopal_race___cilkrts_reducer_unregister(void *key) {
  if (!Detector::is_checked_thread()) return __cilkrts_reducer_unregister(key);
  end(key, NOPAL_RACE_HERE);
}

void nopal_hook_fresh(void *memory, std::uint64_t bytes) {
  if (Detector::is_checked_thread()) Detector::forget(reinterpret_cast<Address>(memory), bytes);
}

void nopal_hook_unseen(const char *file, std::uint32_t line, std::uint32_t column) {
  nopal::race::note_unseen_spawn(file, line, column);
}

void nopal_race_forget(const void *memory, std::size_t bytes) {
  if (Detector::is_checked_thread()) Detector::forget(reinterpret_cast<Address>(memory), bytes);
}

void nopal_race_value(const void *hyperobject) {
  if (Detector::is_checked_thread()) Detector::get().value_of(hyperobject, NOPAL_RACE_HERE);
}

void nopal_race_ignore_begin(void) {
  if (Detector::begin_hook()) Detector::get().ignore(true);
}

void nopal_race_ignore_end(void) {
  if (Detector::begin_hook()) Detector::get().ignore(false);
}

void nopal_race_lock(const void *lock) {
  if (Detector::begin_hook()) Detector::get().lock(reinterpret_cast<Address>(lock));
}

void nopal_race_unlock(const void *lock) {
  if (Detector::begin_hook()) Detector::get().unlock(reinterpret_cast<Address>(lock));
}

// The interface of OpenCilk's race detector, cilk/cilksan.h.
void __cilksan_enable_checking(void) { nopal_race_ignore_end(); }
void __cilksan_disable_checking(void) { nopal_race_ignore_begin(); }
bool __cilksan_is_checking_enabled(void) {
  return Detector::is_checked_thread() && !Detector::get().ignores();
}
void __cilksan_acquire_lock(const void *lock) { nopal_race_lock(lock); }
void __cilksan_release_lock(const void *lock) { nopal_race_unlock(lock); }
void __cilksan_begin_atomic(void) {
  if (Detector::begin_hook()) Detector::get().begin_atomic();
}
void __cilksan_end_atomic(void) {
  if (Detector::begin_hook()) Detector::get().end_atomic();
}
void __cilksan_register_lock_explicit(const void *) {}
void __cilksan_unregister_lock_explicit(const void *lock) {
  if (Detector::is_checked_thread()) forget_locks(reinterpret_cast<Address>(lock), 1);
}
}
