/* Hyperobjects by hand, as Cilk Plus' runtime has them: what its macros and its headers stand on.
 *
 *     struct { __cilkrts_hyperobject_base base; long value; } sum = {
 *         {{add, zero, __cilkrts_hyperobject_noop_destroy, __cilkrts_hyperobject_alloc,
 *           __cilkrts_hyperobject_dealloc}, 0, sizeof(__cilkrts_hyperobject_base), sizeof(long)}};
 *     __cilkrts_hyper_create(&sum.base);
 *     *(long *)__cilkrts_hyper_lookup(&sum.base) += 1;
 *     __cilkrts_hyper_destroy(&sum.base);
 *
 * C11 and C++17. Included by <cilk/reducer_c.h>. Destroy it before it dies, or create it if it is a
 * local variable. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_HYPEROBJECT_BASE_H
#define CILK_HYPEROBJECT_BASE_H

#include "common.h"
#include "views.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*cilk_c_reducer_reduce_fn_t)(void *reducer, void *left, void *right);
typedef void (*cilk_c_reducer_identity_fn_t)(void *reducer, void *view);
typedef void (*cilk_c_reducer_destroy_fn_t)(void *reducer, void *view);
typedef void *(*cilk_c_reducer_allocate_fn_t)(void *reducer, size_t bytes);
typedef void (*cilk_c_reducer_deallocate_fn_t)(void *reducer, void *view);

/* The last two are accepted and not called: the runtime has memory for views. */
typedef struct cilk_c_monoid {
  cilk_c_reducer_reduce_fn_t reduce_fn;
  cilk_c_reducer_identity_fn_t identity_fn;
  cilk_c_reducer_destroy_fn_t destroy_fn;
  cilk_c_reducer_allocate_fn_t allocate_fn;
  cilk_c_reducer_deallocate_fn_t deallocate_fn;
} cilk_c_monoid;

/* Before each value, of a reducer and of a view. */
typedef struct __cilkrts_hyperobject_base {
  cilk_c_monoid __c_monoid;
  unsigned long long __flags; /* of a view: the reducer's address */
  ptrdiff_t __view_offset;    /* from this to the value */
  size_t __view_size;         /* of a value, in bytes */
} __cilkrts_hyperobject_base;

static inline void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view) {
  (void)reducer;
  (void)view;
}
static inline void *__cilkrts_hyperobject_alloc(void *reducer, size_t bytes) {
  (void)reducer;
  return malloc(bytes);
}
static inline void __cilkrts_hyperobject_dealloc(void *reducer, void *view) {
  (void)reducer;
  free(view);
}

static inline void *nopal_c_reducer(const __cilkrts_hyperobject_base *view) {
  return (void *)(uintptr_t)view->__flags;
}
static inline void nopal_c_end(void *view) {
  __cilkrts_hyperobject_base *const base = (__cilkrts_hyperobject_base *)view;
  if (base->__c_monoid.destroy_fn)
    base->__c_monoid.destroy_fn(nopal_c_reducer(base), (char *)view + base->__view_offset);
}
static inline void nopal_c_identity(const void *reducer, void *view) {
  __cilkrts_hyperobject_base *const base = (__cilkrts_hyperobject_base *)view;
  memcpy(base, reducer, sizeof *base);
  base->__flags = (uintptr_t)reducer;
  base->__c_monoid.identity_fn(nopal_c_reducer(base), (char *)view + base->__view_offset);
}
static inline void nopal_c_reduce(void *left, void *right) {
  __cilkrts_hyperobject_base *const base = (__cilkrts_hyperobject_base *)right;
  base->__c_monoid.reduce_fn(nopal_c_reducer(base), (char *)left + base->__view_offset,
                             (char *)right + base->__view_offset);
  nopal_c_end(right);
}

/* The value in the calling strand's view. */
static inline void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *reducer) {
  const nopal_view_type type = {(size_t)reducer->__view_offset + reducer->__view_size,
                                64,
                                0,
                                nopal_c_identity,
                                nopal_c_reduce,
                                nopal_c_end};
  char *const view =
      nopal_this_strand()->stolen ? (char *)nopal_view_now(reducer, &type) : (char *)reducer;
  return view + reducer->__view_offset;
}
static inline void __cilkrts_hyper_create(__cilkrts_hyperobject_base *reducer) {
  nopal_views_begin(reducer, 1, 1);
}
static inline void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *reducer) {
  nopal_views_end(reducer, 1, 1);
}

#endif
