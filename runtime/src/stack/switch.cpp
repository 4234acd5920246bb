// See switch.h. The jump itself is Boost.Context's, which saves callee-saved registers, and on
// x86-64 MXCSR and the x87 control word; SwitchedFloatingPoint has what it does not save.
//
// It is Boost's detail/fcontext.hpp and not the public boost::context::fiber: that would allocate a
// control record on each stack, resume by moving a handle that must be destroyed or resumed exactly
// once, and unwind a stack by an exception when its handle ends. A frame's context is one word that
// another thread finds, and a finished segment is abandoned, not unwound.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "switch.h"

#include "../platform/sanitizers.h"

#include <cactus/own_stack.h>
#include <cactus/valgrind.h>

#include <boost/context/detail/fcontext.hpp>
#include <boost/version.hpp>

#include <new>

namespace nopal {
namespace {

static_assert(BOOST_VERSION >= 107800,
              "cilk-gdb.py reads what a jump pushes, as it is since Boost 1.78");

namespace context = boost::context::detail;

/// More than the frames below leave_for_good take.
constexpr std::size_t kSwitchBytes = 1024;

/// A segment's Stack lies at its top; what is below it is for frames.
Stack *stack_record(const cactus::Segment &segment) noexcept {
  return reinterpret_cast<Stack *>(static_cast<char *>(segment.top()) - sizeof(Stack));
}

void release_finished(cactus::Segment &segment, Worker &worker) noexcept {
  const Stack *stack = stack_record(segment);
  sanitizers::destroy_fiber(stack->fiber);
  // Frames that returned have cleaned up after them; those that never will lie between here and the
  // top.
  const char *lowest = static_cast<const char *>(stack->left_at) - kSwitchBytes;
  sanitizers::unpoison(lowest,
                       static_cast<std::size_t>(static_cast<char *>(segment.top()) - lowest));
  sanitizers::release(&segment);
  worker.segments.release(&segment);
}

/// The first thing at every arrival. `self` is the saved record of this stack, or a fresh one; the
/// stack that was left is in thread.departure.
Departure arrive(const SuspendedStack &self, void *departed_context) noexcept {
  sanitizers::finish_switch(self.fake_stack);
  Thread &thread = this_thread();
  const Departure departure = thread.departure;
  if (departure.left != nullptr) departure.left->context = departed_context;
  thread.stack = self.stack;
  thread.worker->path.set(self.path);
  if (self.stack->segment != nullptr) self.stack->segment->run(&thread.worker->stacks);
  exchange_exception_globals(self.exceptions);
  if (departure.finished != nullptr) release_finished(*departure.finished, *thread.worker);
  return departure;
}

void fresh_main(context::transfer_t from) {
  // The oldest frame of a segment: here debuggers and profilers stop.
#if defined(__x86_64__)
  asm volatile(".cfi_undefined rip");
#elif defined(__aarch64__)
  asm volatile(".cfi_undefined x30");
#endif
  *static_cast<void **>(__builtin_frame_address(0)) =
      nullptr;  // and the chain of frame pointers ends
  auto *stack = static_cast<Stack *>(from.data);
  SuspendedStack fresh;
  fresh.stack = stack;
  stack->main(arrive(fresh, from.fctx));
  __builtin_trap();  // main does not return
}

/// The calling thread goes to `target`: its pages stay from now on. Called before the jump, since
/// code there may need more below the stack pointer than is kept (a call that the dynamic linker
/// resolves, a signal).
void cancel_trim(const Stack &target) noexcept {
  if (target.segment != nullptr) target.segment->cancel_trim();
}

/// The only jump. Returns the context of the code that jumped back here.
void *jump(void *target, const Stack &target_stack, void **fake_stack_save, void *data) noexcept {
  sanitizers::start_switch(fake_stack_save, target_stack.low, target_stack.size_bytes,
                           target_stack.fiber);
  return context::jump_fcontext(target, data).fctx;
}

}  // namespace

Departure leave_for_fresh(SuspendedStack &self, cactus::Segment &segment, FreshMain main,
                          Departure departure) noexcept {
  Stack *fresh = new (stack_record(segment)) Stack{
      segment.low(), segment.size_bytes(), &segment, sanitizers::create_fiber(), main, nullptr};
  sanitizers::acquire(&segment);  // who used its memory before us
  Thread &thread = this_thread();
  self.stack = thread.stack;
  self.exceptions = exchange_exception_globals({});
  self.floating_point.save();
  self.path = thread.worker->path.get();
  departure.left = &self;
  thread.departure = departure;
  const std::size_t usable = static_cast<std::size_t>(reinterpret_cast<char *>(fresh) -
                                                      static_cast<char *>(segment.low()));
  void *departed_context =
      jump(context::make_fcontext(fresh, usable, fresh_main), *fresh, &self.fake_stack, fresh);
  self.floating_point.restore();
  return arrive(self, departed_context);
}

Departure leave_for_suspended(SuspendedStack &self, SuspendedStack &target) noexcept {
  Thread &thread = this_thread();
  self.stack = thread.stack;
  self.exceptions = exchange_exception_globals({});
  self.floating_point.save();
  self.path = thread.worker->path.get();
  thread.departure = {.left = &self};
  cancel_trim(*target.stack);
  void *departed_context = jump(target.context, *target.stack, &self.fake_stack, nullptr);
  self.floating_point.restore();
  return arrive(self, departed_context);
}

void leave_for_good(SuspendedStack &target, Departure departure) noexcept {
  Thread &thread = this_thread();
  departure.finished = thread.stack->segment;
  thread.stack->left_at = __builtin_frame_address(0);
  thread.departure = departure;
  cancel_trim(*target.stack);
  jump(target.context, *target.stack, nullptr, nullptr);
  __builtin_trap();  // nobody has this context
}

Stack native_stack(bool wants_bounds) noexcept {
  const bool is_asked = wants_bounds || sanitizers::must_know_stacks() || cactus::is_on_valgrind();
  const cactus::OwnStack own = is_asked ? cactus::own_stack() : cactus::OwnStack{};
  return {own.low, own.size_bytes, nullptr, sanitizers::current_fiber(), nullptr, nullptr};
}

}  // namespace nopal
