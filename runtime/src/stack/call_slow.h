// The call of a slow clone, linked into the chain of frame pointers (perf record --call-graph fp):
// the logical caller of the slow clone's function, on whatever stack that lies, stands where the
// worker loop would.
//
// A fast clone that keeps a frame pointer stores it in its frame before its first push, and the
// site says where (nopal_site::frame_address). While its slow clone runs, the fast clone's
// activation exists, so its saved frame pointer and return address are valid. For some instructions
// they are not: when the slow clone has joined and not yet returned. A sample then has a wrong
// chain; only samplers follow it. Call frame information is that of an ordinary call: gdb's
// backtraces and exceptions end on this stack.
//
// Checked by tests/tools.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_CALL_SLOW_H
#define NOPAL_STACK_CALL_SLOW_H

#include "../../abi/nopal_abi.h"

namespace nopal {

/// The frame address of the fast clone that `frame` belongs to, or null if it keeps none. Caller:
/// the holder of the continuation.
inline void *frame_address(const nopal_site &site, const nopal_frame *frame) noexcept {
  if (site.frame_address == 0) return nullptr;
  return *reinterpret_cast<void *const *>(reinterpret_cast<const char *>(frame) +
                                          site.frame_address);
}

/// Calls `slow(frame)` with `frame_address` as the frame pointer, or with its own if that is null.
/// Some instructions.
nopal_frame *call_slow_clone(nopal_frame *frame, nopal_slow_clone slow,
                             void *frame_address) noexcept;

}  // namespace nopal

#endif
