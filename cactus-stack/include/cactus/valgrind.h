// Tells valgrind which memory is a stack. Without that, valgrind takes a jump from one stack to
// another for growth. Without valgrind's header at build time this does nothing. A program that
// does not run under valgrind executes a few moves and rotations.
//
// Used by the registry for segments, and by the scheduler for native stacks. Test: tests/tools.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_VALGRIND_H
#define CACTUS_VALGRIND_H

#include <cstddef>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define CACTUS_KNOWS_VALGRIND 1
#endif

namespace cactus {

/// The memory [low, low + size_bytes) is a stack until forget_stack(result). Any thread.
inline unsigned note_stack([[maybe_unused]] const void *low,
                           [[maybe_unused]] std::size_t size_bytes) noexcept {
#ifdef CACTUS_KNOWS_VALGRIND
  return VALGRIND_STACK_REGISTER(low, static_cast<const char *>(low) + size_bytes - 1);
#else
  return 0;
#endif
}

/// Whether note_stack does anything. Any thread.
inline bool is_on_valgrind() noexcept {
#ifdef CACTUS_KNOWS_VALGRIND
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

/// The memory for which note_stack returned `id` is no stack any more. Any thread.
inline void forget_stack([[maybe_unused]] unsigned id) noexcept {
#ifdef CACTUS_KNOWS_VALGRIND
  VALGRIND_STACK_DEREGISTER(id);
#endif
}

}  // namespace cactus

#endif
