// What a child does that finds its parent's continuation stolen: it waits a moment before it leaves
// its stack, or hands its worker on. An attached thread works meanwhile.
//
// Called by nopal_suspend. Checked by tests/stress/help_test.cpp and tests/faults (helping).
//
// If an attached thread waits, its worker moves twice between threads: a helper is woken, and the
// thread is woken when the frame is joined. On idle processors that takes a tenth of a millisecond,
// and the system may put the woken thread beside one that runs. So it looks longer, and helps.
//
// Helping. It takes continuations only from workers whose path is the continuation of the frame for
// which it waits. So what it takes is a descendant of that frame, which cannot be joined before,
// and nothing waits for what it does (leapfrogging: Wagner and Calder, PPoPP 1993). It runs them
// above the waiting frame on its own stack: a path from the root as on a segment, where children of
// that frame have touched what lies below, none of them deeper than S₁. It must not leave that
// stack. If it runs the last child of a frame, it hands that frame to a helper, with the worker.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SCHEDULER_SUSPEND_H
#define NOPAL_SCHEDULER_SUSPEND_H

#include "../../abi/nopal_abi.h"

namespace nopal {

/// The child of a fast clone is done and its parent's continuation was stolen; `has_thrown`: it
/// ended by an exception, which is kept. Returns when the frame is exclusive, and as new unless
/// exceptions are kept in it. The thread may be another one afterwards.
void suspend(nopal_frame *frame, bool has_thrown) noexcept;

}  // namespace nopal

#endif
