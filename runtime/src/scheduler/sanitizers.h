// Telling the address and the thread sanitizer which stack runs: weak calls, nothing where the program is not instrumented.
//
// Used by scheduler/switch.cpp alone. The thread sanitizer sees the happens-before edges of atomics, switches and futexes' words; it executes fences but does not
// model them, and knows nothing of membarrier: a missing fence in the deque is the model checker's to find (tests/model).
#ifndef NOPAL_SCHEDULER_SANITIZERS_H
#define NOPAL_SCHEDULER_SANITIZERS_H

#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old, std::size_t *size_old);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void *address, std::size_t size);
[[gnu::weak]] void *__tsan_get_current_fiber();
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}

namespace nopal::sanitizers {

/// Before the jump. `fake_stack_save` is null if nobody will come back to the stack that is left.
inline void start_switch(void **fake_stack_save, const void *bottom, std::size_t size, void *fiber) noexcept {
  if (__sanitizer_start_switch_fiber != nullptr) __sanitizer_start_switch_fiber(fake_stack_save, bottom, size);
  if (__tsan_switch_to_fiber != nullptr) __tsan_switch_to_fiber(fiber, 0); // 0: what the old stack did happened before
}
/// First thing on the new stack. `fake_stack` is what start_switch saved when this stack was left; null if it is fresh.
inline void finish_switch(void *fake_stack) noexcept {
  if (__sanitizer_finish_switch_fiber != nullptr) __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

inline void *current_fiber() noexcept { return __tsan_get_current_fiber != nullptr ? __tsan_get_current_fiber() : nullptr; }
inline void *create_fiber() noexcept { return __tsan_create_fiber != nullptr ? __tsan_create_fiber(0) : nullptr; }
inline void destroy_fiber(void *fiber) noexcept {
  if (__tsan_destroy_fiber != nullptr && fiber != nullptr) __tsan_destroy_fiber(fiber);
}
/// Nobody stands on the memory any more: the red zones of its last frames must not outlive them.
inline void unpoison(const void *low, std::size_t size) noexcept {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(low, size);
}

} // namespace nopal::sanitizers

#endif
