// Tells the address and the thread sanitizer which stack runs and what is ordered: weak calls,
// nothing where the program is not instrumented.
//
// The thread sanitizer sees the happens-before edges of switches, mutexes and thread creation, and
// those of atomics in instrumented code. The runtime that users link is not instrumented, so it
// says its edges itself. release(): before a continuation becomes stealable, before a join, a grant
// and the release of a segment. acquire(): after a steal, a completed join and a grant, and where a
// segment is used again. An instrumented runtime (NOPAL_SANITIZE=thread) says none of them: there
// the sanitizer judges the atomics. It does not model fences and knows nothing of membarrier: the
// model checker finds a missing fence in the deque (tests/model). Checked by tests/programs
// (--sanitize=thread) and tests/tools.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_SANITIZERS_H
#define NOPAL_PLATFORM_SANITIZERS_H

#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old,
                                                   std::size_t *size_old);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void *address, std::size_t size);
[[gnu::weak]] void *__tsan_get_current_fiber();
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void *address);
[[gnu::weak]] void __tsan_release(void *address);
}

namespace nopal::sanitizers {

/// Whether a sanitizer asks where the stacks lie.
inline bool must_know_stacks() noexcept { return __sanitizer_start_switch_fiber != nullptr; }

/// Before the jump. `fake_stack_save` is null if the stack is left for good. Inlined also where
/// nothing else is: its own return would be on the new fiber, which has not called it.
[[gnu::always_inline]] inline void start_switch(void **fake_stack_save, const void *bottom,
                                                std::size_t size, void *fiber) noexcept {
  if (__sanitizer_start_switch_fiber != nullptr)
    __sanitizer_start_switch_fiber(fake_stack_save, bottom, size);
  if (__tsan_switch_to_fiber != nullptr)
    __tsan_switch_to_fiber(fiber, 0);  // 0: what the old stack did happened before
}
/// First on the new stack. `fake_stack` is what start_switch saved when this stack was left; null
/// if it is fresh.
inline void finish_switch(void *fake_stack) noexcept {
  if (__sanitizer_finish_switch_fiber != nullptr)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

inline void *current_fiber() noexcept {
  return __tsan_get_current_fiber != nullptr ? __tsan_get_current_fiber() : nullptr;
}
inline void *create_fiber() noexcept {
  return __tsan_create_fiber != nullptr ? __tsan_create_fiber(0) : nullptr;
}
inline void destroy_fiber(void *fiber) noexcept {
  if (__tsan_destroy_fiber != nullptr && fiber != nullptr) __tsan_destroy_fiber(fiber);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NOPAL_INSTRUMENTED_FOR_THREADS 1
#endif
#endif
#ifdef NOPAL_INSTRUMENTED_FOR_THREADS
inline bool must_say_edges() noexcept { return false; }
#else
/// Whether the program is instrumented for the thread sanitizer and the runtime is not. Then every
/// push must take the slow path, which says its edge.
inline bool must_say_edges() noexcept {
  return __tsan_acquire != nullptr && __tsan_release != nullptr;
}
#endif
/// What was done before happens before what follows an acquire() of the same address.
inline void release(const void *address) noexcept {
  if (must_say_edges()) __tsan_release(const_cast<void *>(address));
}
inline void acquire(const void *address) noexcept {
  if (must_say_edges()) __tsan_acquire(const_cast<void *>(address));
}

/// No code stands on the memory any more: the red zones of its last frames must not outlive them.
inline void unpoison(const void *low, std::size_t size) noexcept {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(low, size);
}

}  // namespace nopal::sanitizers

#endif
