/* The views of hyperobjects, for those who make a class of hyperobjects, and for C.
 *
 * C11 and C++17. Most programs use <cilk/reducer.h>, which is built on this. With CILK_SERIAL
 * defined each hyperobject is its own view, and no library is needed. What a view is, and when one
 * is created: docs/user-guide-reducers.md; how: runtime/src/hyper/README.md.
 * Checked by tests/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_VIEWS_H
#define CILK_VIEWS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define NOPAL_VIEWS_NOTHROW noexcept
extern "C" {
#else
#define NOPAL_VIEWS_NOTHROW __attribute__((nothrow))
#endif

/* A class of hyperobjects: one constant for all its objects. No callback may spawn. identity may
 * throw nothing where it is called by nopal_view; the others may throw nothing at all. */
typedef struct nopal_view_type {
  size_t bytes;     /* of a view */
  size_t alignment; /* a power of two; every view has at least 64 */
  /* Where the hyperobject has a pointer that is null when it is new and then the library's. None
   * (null): the hyperobject outlives all its views. If `end` is null, too, identity is called with
   * `view` alone, and only reduce ends a view. */
  void **(*lifetime)(void *hyperobject);
  /* Constructs the identity in `view`. Called by a strand that uses the hyperobject. */
  void (*identity)(const void *hyperobject, void *view);
  /* left = left op right; then ends the right view. `left` is a view or the hyperobject. */
  void (*reduce)(void *left, void *right);
  /* Ends a view that nobody wants. */
  void (*end)(void *view);
} nopal_view_type;

/* What a worker knows of the strand that it runs. */
typedef struct nopal_strand nopal_strand;
typedef struct nopal_is_stolen nopal_is_stolen; /* no object: its pointers alias nothing else */
struct nopal_strand {
  /* Null as long as each hyperobject is its own view. Else the library's. */
  const nopal_is_stolen *stolen;
};

#ifndef CILK_SERIAL

/* Of the calling thread's worker. Changes at spawns, syncs, and in functions that spawn. Read it
 * through nopal_this_strand alone. */
extern __thread nopal_strand *nopal_tls_strand __attribute__((tls_model("initial-exec")));

/* The calling strand, until the next spawn, sync, or call of a function that is not known. For the
 * compiler a load: it may move out of loops and never across those. */
#if defined(__has_attribute)
#if __has_attribute(nopal_spawn)
#define NOPAL_VIEWS_PLUGIN 1
#endif
#endif
#if defined(NOPAL_VIEWS_PLUGIN)
/* The compiler plugin makes the code below of it, after all optimizations. */
const void *__nopal_strand(void) NOPAL_VIEWS_NOTHROW;
static inline nopal_strand *nopal_this_strand(void) { return (nopal_strand *)__nopal_strand(); }
#else
static inline nopal_strand *nopal_this_strand(void) {
  uintptr_t offset;
  /* The address of a thread-local variable might be kept while the stack changes threads; the
   * offset may. 257 is %fs. */
#if defined(__aarch64__)
  uintptr_t thread;
  __asm__("adrp %0, :gottprel:nopal_tls_strand\n\tldr %0, [%0, :gottprel_lo12:nopal_tls_strand]"
          : "=r"(offset));
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(thread));
  return *(nopal_strand **)(thread + offset);
#else
  __asm__("movq nopal_tls_strand@gottpoff(%%rip), %0" : "=r"(offset));
  return *(nopal_strand *__attribute__((address_space(257))) *)offset;
#endif
}
#endif
#undef NOPAL_VIEWS_PLUGIN

/* The strand's view of the hyperobject; creates it. `strand` is nopal_this_strand(). The result
 * depends on the operands alone, as long as the hyperobject lives. Cost: a test if the strand was
 * not stolen, else about a nanosecond, and a creation at the first use after a steal. With the
 * compiler plugin both are inline; a call costs a nanosecond more. */
__attribute__((const)) void *nopal_view(nopal_strand *strand, void *hyperobject,
                                        const nopal_view_type *type) NOPAL_VIEWS_NOTHROW;
/* What the plugin's code calls: the same, if the strand was stolen and has not looked this up
 * lately. */
__attribute__((const)) void *nopal_find_view(nopal_strand *strand, void *hyperobject,
                                             const nopal_view_type *type) NOPAL_VIEWS_NOTHROW;

/* The same in the calling strand, where the type is no constant: it is read now. */
void *nopal_view_now(void *hyperobject, const nopal_view_type *type) NOPAL_VIEWS_NOTHROW;

/* The hyperobject is constructed: in the calling strand it is its own view. Needed only where
 * nopal_this_strand()->stolen is not null. */
void nopal_view_begin(void *hyperobject) NOPAL_VIEWS_NOTHROW;
/* The hyperobject is destroyed; `lifetime` is where its type says. Needed only where
 * that or nopal_this_strand()->stolen is not null. Waits while another strand reduces a view into
 * it. */
void nopal_view_end(void *hyperobject, void **lifetime) NOPAL_VIEWS_NOTHROW;

/* `count` hyperobjects without a lifetime, the first at `first` and each `stride` bytes after the
 * one before, are constructed, or destroyed. For what is declared the compiler calls them. Needed
 * only where nopal_this_strand()->stolen is not null. */
void nopal_views_begin(void *first, uint64_t count, uint64_t stride) NOPAL_VIEWS_NOTHROW;
void nopal_views_end(void *first, uint64_t count, uint64_t stride) NOPAL_VIEWS_NOTHROW;

/* ---- As OpenCilk has them. ---- */

/* The calling strand's view of the hyperobject `key`: `key` itself if the strand was not stolen.
 * Creates it, aligned to 64 bytes, by `identity`, a void (*)(void *view). `reduce`, a
 * void (*)(void *left, void *right), folds the right view into the left one and ends the right
 * one. Neither may throw. With the compiler plugin the search is inline, as that of nopal_view, but
 * it does not move out of loops. */
void *__cilkrts_reducer_lookup(void *key, size_t size, void *identity, void *reduce);
/* The same. */
static inline void *__hyper_lookup(void *key, size_t size, void *identity, void *reduce) {
  return __cilkrts_reducer_lookup(key, size, identity, reduce);
}
/* The hyperobject was made in the calling strand, with a value that counts. Needed only if that
 * strand may have been stolen and the memory comes from malloc, say: for what is declared the
 * compiler does it. */
void __cilkrts_reducer_register(void *key, size_t size, void *identity, void *reduce);
/* The hyperobject dies; what other strands have added since the last sync must have been synced. */
void __cilkrts_reducer_unregister(void *key);

#else /* CILK_SERIAL */

static inline nopal_strand *nopal_this_strand(void) {
  static nopal_strand only;
  return &only;
}
static inline void *nopal_view(nopal_strand *strand, void *hyperobject,
                               const nopal_view_type *type) {
  (void)strand;
  (void)type;
  return hyperobject;
}
static inline void *nopal_view_now(void *hyperobject, const nopal_view_type *type) {
  (void)type;
  return hyperobject;
}
static inline void nopal_view_begin(void *hyperobject) { (void)hyperobject; }
static inline void nopal_view_end(void *hyperobject, void **lifetime) {
  (void)hyperobject;
  (void)lifetime;
}
static inline void *__cilkrts_reducer_lookup(void *key, size_t size, void *identity, void *reduce) {
  (void)size;
  (void)identity;
  (void)reduce;
  return key;
}
static inline void *__hyper_lookup(void *key, size_t size, void *identity, void *reduce) {
  return __cilkrts_reducer_lookup(key, size, identity, reduce);
}
static inline void nopal_views_begin(void *first, uint64_t count, uint64_t stride) {
  (void)first;
  (void)count;
  (void)stride;
}
static inline void nopal_views_end(void *first, uint64_t count, uint64_t stride) {
  (void)first;
  (void)count;
  (void)stride;
}
static inline void __cilkrts_reducer_register(void *key, size_t size, void *identity,
                                              void *reduce) {
  (void)key;
  (void)size;
  (void)identity;
  (void)reduce;
}
static inline void __cilkrts_reducer_unregister(void *key) { (void)key; }

#endif /* CILK_SERIAL */

#ifdef __cplusplus
}
#endif

#undef NOPAL_VIEWS_NOTHROW

#endif
