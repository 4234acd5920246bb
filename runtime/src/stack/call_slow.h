// The call of a slow clone, as those who follow the chain of frame pointers see it (perf record
// --call-graph fp): the logical caller of the slow clone's function, on whatever stack that lies,
// stands where the worker's loop would.
//
// A fast clone that keeps a frame pointer stores it in its frame before its first push, and the
// site says where (nopal_site::frame_address). While its slow clone runs, the fast clone's
// activation is there, so its saved frame pointer and its return address are valid. They are not,
// for some instructions, when the slow clone has joined and not yet returned: who samples then
// finds a wrong chain, and nobody follows it but samplers. Call frame information is that of an
// ordinary call: gdb's backtraces and exceptions end on this stack, as they do without.
//
// Checked by tests/tools.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_CALL_SLOW_H
#define NOPAL_STACK_CALL_SLOW_H

#include "../../abi/nopal_abi.h"

namespace nopal {

/// The frame address of the fast clone that `frame` belongs to, or null if it keeps none. Who holds
/// the continuation.
inline void *frame_address(const nopal_site &site, const nopal_frame *frame) noexcept {
  if (site.frame_address == 0) return nullptr;
  return *reinterpret_cast<void *const *>(reinterpret_cast<const char *>(frame) +
                                          site.frame_address);
}

/// Calls `slow(frame)` with `frame_address` as the frame pointer, or with one of its own if that is
/// null. Five instructions.
nopal_frame *call_slow_clone(nopal_frame *frame, nopal_slow_clone slow,
                             void *frame_address) noexcept;

}  // namespace nopal

#endif
