// Telling valgrind which memory is a stack, so that a jump from one to another is no growth of either. Where valgrind's client requests are not
// installed when this is built, nothing; a program that does not run under valgrind executes some moves and rotations.
//
// Used by the registry for segments and by the scheduler for the native stacks of threads that jump. Checked by tests/tools.
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

/// The memory [low, low + size_bytes) is a stack from now on, until forget_stack with the result. Any thread.
inline unsigned note_stack([[maybe_unused]] const void *low, [[maybe_unused]] std::size_t size_bytes) noexcept {
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

/// What note_stack returned `id` for is no stack any more. Any thread.
inline void forget_stack([[maybe_unused]] unsigned id) noexcept {
#ifdef CACTUS_KNOWS_VALGRIND
  VALGRIND_STACK_DEREGISTER(id);
#endif
}

}  // namespace cactus

#endif
