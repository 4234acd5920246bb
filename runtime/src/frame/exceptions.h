// Exceptions that cross from one stack to another: kept in a frame, raised again by the fast clone.
// And the C++ runtime's globals, which belong to a stack and not to a thread.
//
// Called by the entry points in scheduler/entry_points.cpp and by the switch of stacks. Invariants:
// README.md. Checked by tests/stress/exceptions_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_EXCEPTIONS_H
#define NOPAL_FRAME_EXCEPTIONS_H

#include "../../abi/nopal_abi.h"

#include <cstdint>

namespace nopal {

/// Position of a kept exception in the serial order of its frame. First comes what an earlier sync
/// left for an outer region, then the child of the fast clone, then a child of a slow clone by the
/// number of steals before it; the continuation comes last.
using ExceptionOrder = std::int64_t;
inline constexpr ExceptionOrder kLeftByASync = 0;
inline constexpr ExceptionOrder kFirstChild = 1;
/// `steals`: as nopal_leave_thrown gets it, at least 1.
constexpr ExceptionOrder child_after(std::int64_t steals) noexcept { return kFirstChild + steals; }
inline constexpr ExceptionOrder kContinuation =
    (std::int64_t{1} << 39) - 1;  // kept in 40 bits, beside the region

/// Takes over `unwind_exception` (an _Unwind_Exception in flight in this thread) and keeps it in
/// the frame for the sync of `region`. Caller: a child whose parent was stolen, before its own
/// join; or the continuation, before its sync. Cost: a spin lock in the frame if several throw at
/// once.
void keep_exception(nopal_frame *frame, void *unwind_exception, ExceptionOrder order,
                    std::uint32_t region) noexcept;

/// What a sync has found.
struct TakenExceptions {
  void *first;       // the serially first of the region, or null
  bool leaves_some;  // for other regions
};

/// Resets the exclusive frame for the next spawn and takes out the exceptions kept in it for
/// `region`; destroys all but the serially first. Those of other regions stay. Caller: the fast
/// clone, with no child outstanding.
TakenExceptions take_kept(nopal_frame *frame, std::uint32_t region) noexcept;

/// Raises an exception that was taken. Ends the process by std::terminate if there is no handler.
[[noreturn]] void raise_taken(void *exception);
/// As if it had been caught and dropped.
void destroy_taken(void *exception) noexcept;

/// What __cxa_get_globals() holds: the exceptions being handled on this stack, and how many are in
/// flight.
struct ExceptionGlobals {
  void *caught = nullptr;
  unsigned uncaught = 0;
};

/// Stores `next` into the calling thread's globals and returns what was there.
ExceptionGlobals exchange_exception_globals(ExceptionGlobals next) noexcept;

}  // namespace nopal

#endif
