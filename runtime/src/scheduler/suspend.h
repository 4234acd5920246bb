// A child that finds its parent's continuation stolen waits a moment before it leaves its stack, or
// gives its worker away; an attached thread works meanwhile.
//
// Called by suspend. Checked by tests/stress/help_test.cpp and tests/faults (helping).
//
// An attached thread that leaves costs two hand-overs between threads: its worker goes to a helper,
// which is woken, and it is woken itself when the frame is joined. On processors that have gone
// idle that is a tenth of a millisecond, and the system may put a thread that it wakes beside one
// that runs. So it looks longer; and it helps.
//
// Helping. It takes continuations from those workers only whose path is the continuation of the
// frame that it waits for: what it takes is a descendant of that frame, which cannot be joined
// before. So nothing waits for what it does (as in leapfrogging, Wagner and Calder, PPoPP 1993),
// and it runs them above the waiting frame on its own stack: a path from the root as on a segment,
// with what lies below touched by children of that frame, none of them deeper than S₁. What it must
// not do is to leave that stack. A frame whose last child it runs is handed to a helper thread with
// the worker.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SCHEDULER_SUSPEND_H
#define NOPAL_SCHEDULER_SUSPEND_H

#include "../../abi/nopal_abi.h"

namespace nopal {

/// The child of a fast clone is done and its parent's continuation was stolen. Returns when the
/// frame is exclusive, and as new unless exceptions are kept in it. The thread may be another one
/// afterwards.
void suspend(nopal_frame *frame) noexcept;

}  // namespace nopal

#endif
