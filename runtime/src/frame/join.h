// The join: which participant continues with a frame when its children and its continuation meet at
// a sync. Wait-free (as in Nowa, PPoPP 2021).
//
// Called by the scheduler's entry points (nopal_suspend, nopal_leave, nopal_sync, nopal_throw) and
// its steal. The frame's fields and their owners: runtime/abi/nopal_abi.h. Protocol and proof:
// README.md, "Join". Tests: tests/unit/join_test.cpp, tests/model/join_model.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [join] each participant's read-modify-write of join (acquire and release) -> the last one's:
//       all that the others wrote before they joined is visible, and the frame belongs to the last
//       one alone.
//   [left] the same release -> the load-acquire of the child that finds itself the only one left;
//       the same rights.
//   [lock] fetch_add that clears LOCKED (release) -> fetch_or that takes it (acquire): `exceptions`
//       and the nodes that follow it, and `views` with its list.
//   [new] relaxed: the frame is exclusive; the deque's [bottom] edge or a later join publishes it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../../abi/nopal_abi.h"
#include "../platform/atoms.h"

namespace nopal {

// Frame has nopal_frame's fields. The caller of each function holds the role that its comment
// names; one strand at a time holds a role.
template <class Frame, class Atoms>
struct Join {
  // What stands in join above the flags, in units of NOPAL_JOIN_ONE.
  static constexpr int64_t count_part(int64_t join) noexcept {
    return join & ~(NOPAL_JOIN_THREW | NOPAL_JOIN_LOCKED);
  }

  // The thief that has taken the frame's continuation, before it runs the slow clone. `owner`: the
  // mark of the path that it was taken from (policy/policy.h); the first thief's is the frame's.
  static void count_steal(Frame *frame, uint32_t owner) noexcept {
    const bool is_first = (frame->site & NOPAL_SITE_SLOW) == 0;
    frame->steals = is_first ? 1 : frame->steals + 1;
    if (!is_first) return;
    frame->views = nullptr;
    frame->owner = owner;
  }

  // A child that found its parent's continuation stolen. True: it was the last, and must continue
  // with the frame. False: the frame may be gone already. Wait-free, one read-modify-write.
  [[nodiscard]] static bool child_joins(Frame *frame) noexcept {
    const int64_t before = Atoms::word(frame->join).fetch_add_acq_rel(-NOPAL_JOIN_ONE);  // [join]
    return count_part(before) == NOPAL_JOIN_ONE;
    // After this, unless last, *frame may be gone.
  }

  // The fast clone's own child, on another stack: says where the fast clone's stack can be resumed,
  // or by which thread, then joins. The last one to join reads it, so it is stored before;
  // afterwards the caller must not touch that stack's memory.
  [[nodiscard]] static bool suspended_child_joins(Frame *frame, uintptr_t context) noexcept {
    frame->context = context;
    return child_joins(frame);
  }

  // A child that has not joined yet: whether all others have, the sync too. True: the frame belongs
  // to the caller, which need not join any more. False: a hint, perhaps outdated. Cost: a load.
  [[nodiscard]] static bool is_only_child_left(Frame *frame) noexcept {
    return count_part(Atoms::word(frame->join).load_acquire()) == NOPAL_JOIN_ONE;  // [left]
  }

  // The continuation, at a sync. True: all children have joined; the caller must continue with the
  // frame. False: the frame may be gone already. Wait-free, one read-modify-write.
  [[nodiscard]] static bool sync_joins(Frame *frame) noexcept {
    const int64_t stolen = frame->steals * NOPAL_JOIN_ONE;
    frame->steals = 0;
    return count_part(Atoms::word(frame->join).fetch_add_acq_rel(stolen)) == -stolen;  // [join]
    // After this, unless last, *frame may be gone.
  }

  // A participant that has not joined yet: alone with `exceptions` and `views` until it unlocks.
  // Spins while another holds it, which is for some instructions. True: exceptions are kept.
  static bool lock(Frame *frame) noexcept {
    auto &&join = Atoms::word(frame->join);
    int64_t found;
    // [lock]
    while ((found = join.fetch_or_acquire(NOPAL_JOIN_LOCKED)) & NOPAL_JOIN_LOCKED)
      Atoms::spin_pause();
    return (found & NOPAL_JOIN_THREW) != 0;
  }
  // `flags`: what is to be set besides, or 0.
  static void unlock(Frame *frame, int64_t flags = 0) noexcept {
    Atoms::word(frame->join).fetch_add_release(flags - NOPAL_JOIN_LOCKED);  // [lock]
  }

  // A child before it joins, or the continuation before it syncs: keeps `exception` in the frame.
  // `link(head)` is called under the lock with the list so far (null if there is none), must put
  // `exception` before it, and must not throw.
  template <class Link>
  static void add_exception(Frame *frame, void *exception, Link link) noexcept {
    const bool is_first = !lock(frame);
    void *head = nullptr;
    if (!is_first) head = frame->exceptions;
    link(head);
    frame->exceptions = exception;
    unlock(frame, is_first ? NOPAL_JOIN_THREW : 0);
  }

  // The last one: makes the frame as new for the fast clone's next spawn, and returns the list of
  // exceptions or null.
  static void *take_exceptions_and_reset(Frame *frame) noexcept {
    auto &&join = Atoms::word(frame->join);
    void *head = nullptr;
    if (join.load_relaxed() & NOPAL_JOIN_THREW) head = frame->exceptions;  // [new]
    join.store_relaxed(0);                                                 // [new]
    frame->steals = 0;
    return head;
  }

  // After that: keeps in the frame what stays, a list that is not empty.
  static void put_exceptions_back(Frame *frame, void *head) noexcept {
    frame->exceptions = head;
    Atoms::word(frame->join).store_relaxed(NOPAL_JOIN_THREW);  // [new]
  }
};

using FrameJoin = Join<nopal_frame, HardwareAtoms>;

}  // namespace nopal
