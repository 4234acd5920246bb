/* OpenCilk's interface to its race detector, for programs that have it. New ones use <cilk/race.h>.
 *
 * In a program that is built with -fsanitize=cilk, which defines __cilksan__, these tell the
 * detector what it cannot know. In any other build they are nothing, and no library is needed.
 * C11 and C++11. Docs: docs/races.md. Checked by tests/race/report_test.py and tests/guide/rows.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CILKSAN_H
#define CILK_CILKSAN_H

#ifdef __cplusplus
#define NOPAL_CILKSAN_NOTHROW noexcept
extern "C" {
#else
#include <stdbool.h>
#define NOPAL_CILKSAN_NOTHROW __attribute__((nothrow))
#endif

#ifdef __cilksan__
/* Between the second and the first of these, accesses are neither checked nor recorded. May be
 * nested. */
void __cilksan_enable_checking(void) NOPAL_CILKSAN_NOTHROW;
void __cilksan_disable_checking(void) NOPAL_CILKSAN_NOTHROW;
bool __cilksan_is_checking_enabled(void) NOPAL_CILKSAN_NOTHROW;
/* As if a lock were taken and released: two accesses that hold one at the same address do not
 * race. */
void __cilksan_acquire_lock(const void *lock) NOPAL_CILKSAN_NOTHROW;
void __cilksan_release_lock(const void *lock) NOPAL_CILKSAN_NOTHROW;
/* Accesses between them race neither with each other nor with atomic ones. */
void __cilksan_begin_atomic(void) NOPAL_CILKSAN_NOTHROW;
void __cilksan_end_atomic(void) NOPAL_CILKSAN_NOTHROW;
/* A lock needs no registration here. After the second of these the next one at its address is
 * another lock. */
void __cilksan_register_lock_explicit(const void *lock) NOPAL_CILKSAN_NOTHROW;
void __cilksan_unregister_lock_explicit(const void *lock) NOPAL_CILKSAN_NOTHROW;
#else
static inline void __cilksan_enable_checking(void) {}
static inline void __cilksan_disable_checking(void) {}
static inline bool __cilksan_is_checking_enabled(void) { return false; }
static inline void __cilksan_acquire_lock(const void *lock) { (void)lock; }
static inline void __cilksan_release_lock(const void *lock) { (void)lock; }
static inline void __cilksan_begin_atomic(void) {}
static inline void __cilksan_end_atomic(void) {}
static inline void __cilksan_register_lock_explicit(const void *lock) { (void)lock; }
static inline void __cilksan_unregister_lock_explicit(const void *lock) { (void)lock; }
#endif
#ifdef __cplusplus
}
#endif

/* A mutex for the detector alone: it excludes nobody. */
typedef struct Cilksan_fake_mutex {
  int fake_mutex;
#ifdef __cplusplus
  Cilksan_fake_mutex() : fake_mutex(0) { __cilksan_register_lock_explicit(this); }
  ~Cilksan_fake_mutex() { __cilksan_unregister_lock_explicit(this); }
#endif
} Cilksan_fake_mutex;

#ifdef __cplusplus
/// Holds the lock at that address, for the detector, until the end of the block.
class Cilksan_fake_lock_guard {
 public:
  Cilksan_fake_lock_guard(const void *lock) : lock_(lock) { __cilksan_acquire_lock(lock_); }
  ~Cilksan_fake_lock_guard() { __cilksan_release_lock(lock_); }
  Cilksan_fake_lock_guard(const Cilksan_fake_lock_guard &) = delete;
  Cilksan_fake_lock_guard &operator=(const Cilksan_fake_lock_guard &) = delete;

 private:
  const void *lock_;
};
#endif

#undef NOPAL_CILKSAN_NOTHROW

#endif
