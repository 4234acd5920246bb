// The fast path of a spawn: frame header, push and pop, as they are inlined into the clones.
//
// Compiled to bitcode (command in README.md), embedded in the plugin, linked into each module and
// inlined by the splitter. So the deque's layout and protocol have one source,
// runtime/src/deque/deque.h, and this file is only its binding to the ABI. Contracts:
// runtime/abi/nopal_abi.h. Cost and the variants that were tried: README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fastpath.h"

#include "../include/cilk/views.h"
#include "../src/deque/deque.h"

namespace {

[[gnu::always_inline]] inline nopal::ContinuationDeque::Local current_deque() noexcept {
  return nopal::ContinuationDeque::Local(
      *reinterpret_cast<nopal::ContinuationDeque *>(nopal::current_worker()));
}

}  // namespace

extern "C" {

[[gnu::always_inline]] void nopal_fast_enter(nopal_frame *frame) { frame->join = 0; }

[[gnu::always_inline]] void nopal_fast_site(nopal_frame *frame, uintptr_t site) {
  frame->site = site;
}

[[gnu::always_inline]] uintptr_t nopal_fast_push(nopal_frame *frame) {
  current_deque().push_fast(frame, [](nopal_frame *f) { nopal_push_slow(f); });
  return 0;
}

// The worker may be another one than at the push: then the frame was stolen and that worker's
// deque, being empty, answers no (runtime/src/deque/README.md, "A pop without its push").
[[gnu::always_inline]] bool nopal_fast_pop(nopal_frame *frame, uintptr_t) {
  return current_deque().pop_fast(frame, [](nopal_frame *f) { return nopal_pop_slow(f) != 0; });
}

// The types of the ABI for the splitter, which links none of these into a program: the bitcode
// declares a function or variable, and names a structure, only if something in it uses them.
#define NOPAL_ENTRY(name) reinterpret_cast<void *>(name),
extern void *const nopal_abi_entry_points[];
void *const nopal_abi_entry_points[] = {NOPAL_ENTRY_POINTS(NOPAL_ENTRY)};
#undef NOPAL_ENTRY
extern const nopal_site nopal_abi_site;
const nopal_site nopal_abi_site = {};
extern const nopal_frame nopal_abi_frame;
const nopal_frame nopal_abi_frame = {};
extern uint8_t *const nopal_abi_least_counts;
uint8_t *const nopal_abi_least_counts = &nopal_least_counts;

}  // extern "C"
