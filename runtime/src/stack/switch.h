// Leaving a stack and arriving at another: the one place where a helper thread's stack changes.
//
// Called by suspend, by the worker's loop and by helper threads. What a switch carries and what
// not: runtime/README.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_SWITCH_H
#define NOPAL_STACK_SWITCH_H

#include "../frame/exceptions.h"
#include "../worker/thread.h"

#include <cactus/segment.h>

#include <cstddef>
#include <cstdint>

namespace nopal {

/// What a fresh segment begins with: told what the departing code asked for; must not return.
using FreshMain = void (*)(Departure);

/// What a helper thread can stand on, or where a continuation begins that runs in place. A
/// segment's lies at its top; a native stack's in its thread's first function; one in place above
/// the continuation (run_in_place). A debugger finds a segment's above the oldest frame by its tag,
/// and then `continues`; it knows these two layouts from runtime/debugger/layout.cpp, and that of a
/// saved context (runtime/debugger/cilk-gdb.py).
struct Stack {
  const void *low;
  std::size_t size_bytes;
  cactus::Segment *segment;  // null: native
  void *fiber;               // the thread sanitizer's
  FreshMain main;
  void *left_at;  // a segment left for good: where its stack ended
  const nopal_frame *continues =
      nullptr;  // a segment: the frame whose continuation its worker's loop runs
  std::uint64_t tag = kTag;

  static constexpr std::uint64_t kTag = 0x314b5453'4b4c4943u;  // "CILKSTK1" in memory
};

/// A stack that was left and will be resumed. Lies on that stack, above what the switch itself
/// pushed.
struct SuspendedStack {
  void *context =
      nullptr;  // written by the code that was arrived at, before anybody can find this record
  Stack *stack = nullptr;
  ExceptionGlobals exceptions;
  Path path;
  void *fake_stack = nullptr;  // the address sanitizer's
};

/// What nopal_frame::context says of an exclusive frame: the stack that its fast clone left, or the
/// thread that waits on that stack and alone may run there.
class Context {
 public:
  explicit Context(const SuspendedStack &left) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&left)) {}
  explicit Context(const Thread &waiting) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&waiting) | NOPAL_CONTEXT_THREAD) {}
  explicit Context(const nopal_frame &exclusive) noexcept : word_(exclusive.context) {}

  std::uintptr_t word() const noexcept { return word_; }
  /// Null if the stack was left.
  Thread *thread() const noexcept {
    return is_thread() ? reinterpret_cast<Thread *>(word_ & ~NOPAL_CONTEXT_THREAD) : nullptr;
  }
  /// Only if thread() is null.
  SuspendedStack &stack() const noexcept { return *reinterpret_cast<SuspendedStack *>(word_); }

 private:
  bool is_thread() const noexcept { return (word_ & NOPAL_CONTEXT_THREAD) != 0; }

  std::uintptr_t word_;
};
static_assert(alignof(SuspendedStack) > NOPAL_CONTEXT_THREAD &&
              alignof(Thread) > NOPAL_CONTEXT_THREAD);

/// Leaves the calling stack, which goes into `self`, and begins `main` on a fresh segment. Returns
/// when somebody resumes `self`, perhaps in another thread, with what that one asked for. A helper
/// thread's native stack or a segment.
Departure leave_for_fresh(SuspendedStack &self, cactus::Segment &segment, FreshMain main,
                          Departure departure) noexcept;

/// Leaves the calling native stack, which goes into `self`, for a suspended one. Returns as
/// leave_for_fresh does.
Departure leave_for_suspended(SuspendedStack &self, SuspendedStack &target) noexcept;

/// Leaves the calling segment for good and resumes `target`, where the segment is released.
[[noreturn]] void leave_for_good(SuspendedStack &target, Departure departure) noexcept;

/// The calling thread's native stack. Its bounds are null if `wants_bounds` is false and neither a
/// sanitizer nor valgrind wants them, or if the thread library does not know them. Cost: nothing
/// without bounds; else some system calls, and the thread library allocates memory.
Stack native_stack(bool wants_bounds) noexcept;

}  // namespace nopal

#endif
