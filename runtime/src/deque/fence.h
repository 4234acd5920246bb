// How thieves and owners agree on a deque: which of them has the fence. The fences themselves are
// in platform/atoms.h.
//
// Chosen once, before the first deque exists. Rules: README.md, "Which side fences". Checked by
// tests/stress (all modes) and tests/model.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_DEQUE_FENCE_H
#define NOPAL_DEQUE_FENCE_H

#include "deque.h"

namespace nopal {

/// Reads the configuration, asks the system and settles the mode; later calls return it. If the
/// system refuses CILK_FENCE=asymmetric, prints a warning and settles kFull. Any thread. Cost of
/// the first call: three system calls (the library registers when it is loaded; else, if several
/// threads run, it waits for a grace period of the kernel).
FenceMode choose_fence_mode() noexcept;

/// For messages and statistics.
const char *name_of(FenceMode mode) noexcept;

}  // namespace nopal

#endif
