// Leaving a stack and arriving at another: the only place where a helper thread's stack changes.
//
// Called by suspend, by the worker loop and by helper threads. What a switch carries:
// runtime/README.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STACK_SWITCH_H
#define NOPAL_STACK_SWITCH_H

#include "../frame/exceptions.h"
#include "../platform/floating_point.h"
#include "../worker/thread.h"

#include <cactus/segment.h>

#include <cstddef>
#include <cstdint>

namespace nopal {

/// What a fresh segment begins with; gets what the departing code asked for, and must not return.
using FreshMain = void (*)(Departure);

/// What a helper thread can stand on, or where a continuation begins that runs in place. A
/// segment's lies at its top; a native stack's in its thread's first function; one in place above
/// the continuation (run_in_place). A debugger finds it above the oldest frame by its tag, and then
/// `continues` (runtime/debugger/cilk-gdb.py; its offsets: runtime/debugger/layout.cpp).
struct Stack {
  const void *low;
  std::size_t size_bytes;
  cactus::Segment *segment;  // null: native
  void *fiber;               // the thread sanitizer's
  FreshMain main;
  void *left_at;                           // a segment left for good: where its stack ended
  const nopal_frame *continues = nullptr;  // a segment: the frame whose continuation its loop runs
  std::int64_t strand = 0;  // its number among those of `continues` (hyper/README.md)
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
  [[no_unique_address]] SwitchedFloatingPoint floating_point;
};

/// nopal_frame::context of an exclusive frame: the stack that its fast clone left, or the thread
/// that waits on that stack and alone may run there.
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

/// Leaves the calling stack (native or segment), which goes into `self`, and begins `main` on a
/// fresh segment. Returns when a thread, perhaps another one, resumes `self`, with what that one
/// asked for.
Departure leave_for_fresh(SuspendedStack &self, cactus::Segment &segment, FreshMain main,
                          Departure departure) noexcept;

/// Leaves the calling native stack, which goes into `self`, for a suspended one. Returns as
/// leave_for_fresh does.
Departure leave_for_suspended(SuspendedStack &self, SuspendedStack &target) noexcept;

/// Leaves the calling segment for good and resumes `target`, where the segment is released.
[[noreturn]] void leave_for_good(SuspendedStack &target, Departure departure) noexcept;

/// The calling thread's native stack. Without bounds if `wants_bounds` is false and neither a
/// sanitizer nor valgrind needs them. Cost: nothing, or cactus::own_stack().
Stack native_stack(bool wants_bounds) noexcept;

}  // namespace nopal

#endif
