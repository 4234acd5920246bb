/* What instrumented code calls in the race detector's library beside the hooks (nopal_hooks.h),
 * ThreadSanitizer's own interface (compiler-rt's tsan_interface.h) and the renamed functions of the
 * C library (nopal_race.def). Includes only <stdint.h>. C11 and C++17.
 *
 * All are called on the thread that runs the code, and must neither throw nor spawn. Tests:
 * tests/pass/race-*.ll, tests/race.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NOPAL_RACE_H
#define NOPAL_RACE_H

#include "nopal_hooks.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* __tsan_func_entry. `call` is where the function returns to; its code begins at `function`. */
void __nopal_race_func_entry(const void *call, const void *function);

/* The same and nopal_hook_enter in one. */
void __nopal_race_enter(const void *call, const void *function, nopal_hook_site *site);
/* nopal_hook_sync, nopal_hook_leave and __tsan_func_exit in one. */
void __nopal_race_leave(nopal_hook_site *function);
/* nopal_hook_spawn, and the frame of the child begins, which ends at nopal_hook_return. The child's
 * code begins at `function`, and says nothing of its frame itself. */
void __nopal_race_spawn(nopal_hook_site *site, const void *function);

/* In a leaf that runs its iterations one by one: the iteration `index` begins. */
void __nopal_race_iteration(uint64_t index);

/* How rows are accessed. */
typedef enum nopal_race_kind {
  NOPAL_RACE_READ,
  NOPAL_RACE_WRITE,
  NOPAL_RACE_UPDATE /* read, and written to a new value */
} nopal_race_kind;

/* What an iteration of a loop accesses: `count` rows of `bytes`, `stride` apart. What the next one
 * accesses lies `step` further on. All in bytes. */
typedef struct nopal_race_iteration_rows {
  void *start;
  uint64_t bytes;
  int64_t stride;
  uint64_t count;
  int64_t step;
  uint64_t kind; /* nopal_race_kind */
} nopal_race_iteration_rows;

/* The rows of a loop are accessed. */
void __nopal_race_rows(void *start, uint64_t bytes, int64_t stride, uint64_t count, uint32_t kind);

/* 1 if two of `iterations` iterations may touch a common byte that one of them writes, else 0.
 * `first` has the rows of the first one, `rows` of them. */
uint32_t __nopal_race_may_conflict(const nopal_race_iteration_rows *first, uint64_t rows,
                                   uint64_t iterations);

/* A lane of a vector, whose bit of the mask is `is_set`. `kind` is NOPAL_RACE_READ or _WRITE. */
void __nopal_race_lane(void *address, uint64_t size, uint32_t is_set, uint32_t kind);

/* An atomic operation reads `size` bytes and writes them. */
void __nopal_race_atomic(void *address, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
