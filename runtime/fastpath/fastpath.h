// What the inlined fast path and the runtime share: the thread's worker and the two ways into the
// cold code.
//
// Included by fastpath.cpp (bitcode, inlined into users' functions) and by the scheduler, which
// defines what is declared here. The contracts of the fast path itself stand in
// runtime/abi/nopal_abi.h; it is tested by each compiled program, its deque by
// tests/unit/deque_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../abi/nopal_abi.h"

#include <stdint.h>

// The scheduler's. Its first member is its nopal::ContinuationDeque.
struct nopal_worker;

// The two cold functions keep nearly all registers of their callers (preserve_most). The dynamic
// linker's lazy binding does not, so the bitcode is compiled with -fno-plt: its calls are bound at
// load.

extern "C" {

// The worker that this thread runs; for a thread that runs none, the outsider, whose deque sends
// each push to nopal_push_slow. Never null. Read it through nopal::current_worker alone.
extern __thread struct nopal_worker *nopal_tls_worker __attribute__((tls_model("initial-exec")));

// The rest of a push whose slot lies at the limit or above. While pops fence every push does, and
// is made out of line; else: attaches a thread that runs no worker, then does Local::push_slow on
// the deque of the (possibly new) worker, and, in chaos, empties that deque. `frame->site` is set
// already.
void nopal_push_slow(nopal_frame *frame) __attribute__((cold, noinline, preserve_most));

// The rest of a pop that may have failed: Local::pop_slow of the current worker's deque. After 0
// that deque is empty.
int nopal_pop_slow(nopal_frame *frame) __attribute__((cold, noinline, preserve_most));

}  // extern "C"

namespace nopal {

// The worker that this thread runs now. Unlike a mention of nopal_tls_worker this is right in a
// function whose stack may change threads between two calls: a compiler may keep the address of a
// thread-local variable, but here it has only an offset to keep, which is the same in all threads.
[[gnu::always_inline]] inline nopal_worker *current_worker() noexcept {
#if defined(__x86_64__) && defined(__clang__)
  uintptr_t offset;
  // Volatile, so that the offset is loaded anew instead of taking a register across the child's
  // call.
  __asm__ volatile("movq nopal_tls_worker@gottpoff(%%rip), %0" : "=r"(offset));
  return *reinterpret_cast<nopal_worker *__attribute__((address_space(257))) *>(
      offset);  // 257 is %fs
#elif defined(__aarch64__) && defined(__clang__)
  uintptr_t thread, offset;
  // Volatile for the same reason. The linker makes constants of the address and the load if it
  // knows the offset.
  __asm__ volatile(
      "mrs %0, tpidr_el0\n\t"
      "adrp %1, :gottprel:nopal_tls_worker\n\t"
      "ldr %1, [%1, :gottprel_lo12:nopal_tls_worker]"
      : "=&r"(thread), "=&r"(offset));
  return *reinterpret_cast<nopal_worker **>(thread + offset);
#else
#error "nopal: the fast path is written for x86-64, AArch64 and Clang"
#endif
}

}  // namespace nopal
