// How thieves and owners agree on a deque: which of them has the fence. The fences themselves stand
// in platform/atoms.h.
//
// Chosen once, by the scheduler, before the first deque is made. Rules: fence.md. Checked by
// tests/stress (all modes), tests/model.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_DEQUE_FENCE_H
#define NOPAL_DEQUE_FENCE_H

#include "deque.h"

namespace nopal {

/// Reads the configuration, asks the system and settles the mode; later calls return it. A
/// CILK_FENCE=asymmetric that the system refuses is answered with a warning and kFull. Any thread.
/// Cost of the first call: three system calls (registering is done already, when the library was
/// loaded; else it waits for a grace period of the kernel if several threads run).
FenceMode choose_fence_mode() noexcept;

/// The word for messages and statistics.
const char *name_of(FenceMode mode) noexcept;

}  // namespace nopal

#endif
