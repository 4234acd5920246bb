/* What the race detector (-fsanitize=cilk) cannot know by itself.
 *
 *   cilk::race::ignore here;               // up to the end of the block: accesses are not checked
 *   cilk::race::fake_mutex order;          // held at both: two accesses do not race
 *   std::lock_guard hold(order);
 *   nopal_race_forget(slot, size);         // a pool gives this memory to another user
 *
 * In a build without the detector these are nothing, and no library is needed. Whatever one of
 * them hides is not proved: say beside each use why there is no race. C11 and C++17.
 * Docs: docs/races.md. Checked by tests/race/report_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_RACE_H
#define CILK_RACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __nopal_race__
/* From here to the matching end accesses are neither checked nor recorded, in whatever is called
 * and spawned there too. May be nested. */
void nopal_race_ignore_begin(void);
void nopal_race_ignore_end(void);
/* As if a lock were taken and released: two accesses that hold one at the same address do not
 * race. For what orders accesses without a lock that the detector knows. */
void nopal_race_lock(const void *lock);
void nopal_race_unlock(const void *lock);
/* Whatever follows has nothing to do with earlier accesses of this memory, as after free and
 * malloc. For allocators of your own. */
void nopal_race_forget(const void *memory, size_t bytes);
/* The program asks for the value of a hyperobject, or sets it. That is a race if the strand may
 * have a view of its own: something is spawned that it has not waited for. For who makes a class of
 * hyperobjects; those of <cilk/reducer.h> do it. */
void nopal_race_value(const void *hyperobject);
#else
static inline void nopal_race_ignore_begin(void) {}
static inline void nopal_race_ignore_end(void) {}
static inline void nopal_race_lock(const void *lock) { (void)lock; }
static inline void nopal_race_unlock(const void *lock) { (void)lock; }
static inline void nopal_race_forget(const void *memory, size_t bytes) {
  (void)memory;
  (void)bytes;
}
static inline void nopal_race_value(const void *hyperobject) { (void)hyperobject; }
#endif
#ifdef __cplusplus
}

namespace cilk {
namespace race {

/// Accesses are not checked, from its construction to its destruction.
class ignore {
 public:
  ignore() { nopal_race_ignore_begin(); }
  ~ignore() { nopal_race_ignore_end(); }
  ignore(const ignore &) = delete;
  ignore &operator=(const ignore &) = delete;
};

/// A mutex for the detector alone: it excludes nobody. Meets BasicLockable.
class fake_mutex {
 public:
  fake_mutex() = default;
  void lock() { nopal_race_lock(this); }
  void unlock() { nopal_race_unlock(this); }
  fake_mutex(const fake_mutex &) = delete;
  fake_mutex &operator=(const fake_mutex &) = delete;
};

}  // namespace race
}  // namespace cilk
#endif

#endif
