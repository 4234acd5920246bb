// What Clang's ThreadSanitizerPass calls in place of atomic operations: each is checked, then done
// with sequential consistency, which allows whatever order the program gave. Operations that the
// pass does not know stay in the code, and come after __nopal_race_atomic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"
#include "nopal_race.h"

using namespace nopal::race;

namespace {

inline void check_atomic(const volatile void *address, std::size_t size, AccessKind kind,
                         Here here) {
  if (own_state.now != 0)
    Detector::get().atomic(reinterpret_cast<Address>(address), size, kind, here);
}

/// The compiler reads the guard of a static variable itself: not 0 is initialised.
inline void pass_guard(const volatile void *guard) {
  if (own_state.now != 0) Detector::get().pass(reinterpret_cast<Address>(guard));
}

}  // namespace

#define READ(ADDRESS) check_atomic(ADDRESS, sizeof(*ADDRESS), AccessKind::kRead, NOPAL_RACE_HERE)
#define WRITE(ADDRESS) \
  check_atomic(ADDRESS, sizeof(*ADDRESS), AccessKind::kReadWrite, NOPAL_RACE_HERE)

#define FETCH(BITS, T, NAME)                                                \
  T __tsan_atomic##BITS##_fetch_##NAME(volatile T *address, T value, int) { \
    WRITE(address);                                                         \
    return __atomic_fetch_##NAME(address, value, __ATOMIC_SEQ_CST);         \
  }

#define ATOMICS(BITS, T)                                                                          \
  T __tsan_atomic##BITS##_load(const volatile T *address, int) {                                  \
    READ(address);                                                                                \
    const T value = __atomic_load_n(address, __ATOMIC_SEQ_CST);                                   \
    if (BITS == 8 && value != 0) pass_guard(address);                                             \
    return value;                                                                                 \
  }                                                                                               \
  void __tsan_atomic##BITS##_store(volatile T *address, T value, int) {                           \
    check_atomic(address, sizeof(T), AccessKind::kWrite, NOPAL_RACE_HERE);                        \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                           \
  }                                                                                               \
  T __tsan_atomic##BITS##_exchange(volatile T *address, T value, int) {                           \
    WRITE(address);                                                                               \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                 \
  }                                                                                               \
  FETCH(BITS, T, add)                                                                             \
  FETCH(BITS, T, sub)                                                                             \
  FETCH(BITS, T, and)                                                                             \
  FETCH(BITS, T, or)                                                                              \
  FETCH(BITS, T, xor)                                                                             \
  FETCH(BITS, T, nand)                                                                            \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T *address, T *expected, T value,    \
                                                    int, int) {                                   \
    WRITE(address);                                                                               \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                         \
  }                                                                                               \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T *address, T *expected, T value, int, \
                                                  int) {                                          \
    WRITE(address);                                                                               \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                         \
  }                                                                                               \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T value, int,     \
                                               int) {                                             \
    WRITE(address);                                                                               \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST,               \
                                __ATOMIC_SEQ_CST);                                                \
    return expected;                                                                              \
  }

extern "C" {
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
ATOMICS(128, __uint128_t)
void __nopal_race_atomic(void *address, std::uint64_t size) {
  check_atomic(address, size, AccessKind::kReadWrite, NOPAL_RACE_HERE);
}
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
