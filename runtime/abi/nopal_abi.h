/* The contract between the compiler's clones and the runtime: the frame header, the spawn site and
 * the entry points.
 *
 * Included by the runtime, by the fast-path bitcode (runtime/fastpath) and by the splitter
 * (clang-plugin/split). It is the only place where these layouts stand. Invariants:
 * runtime/README.md ("The life of a frame"). Checked by the assertions at its end. C11 and C++17.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NOPAL_ABI_H
#define NOPAL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a layout or an entry point below changes. Each compiled module refers to the
 * symbol nopal_abi_version_N, which only a runtime of the same version defines, so a mixed install
 * is a link error. */
#define NOPAL_ABI_VERSION 4
#define NOPAL_PASTE_AGAIN(a, b) a##b
#define NOPAL_PASTE(a, b) NOPAL_PASTE_AGAIN(a, b)
#define NOPAL_STRING_AGAIN(text) #text
#define NOPAL_STRING(text) NOPAL_STRING_AGAIN(text)
#define NOPAL_ABI_VERSION_NAME NOPAL_PASTE(nopal_abi_version_, NOPAL_ABI_VERSION)
#define NOPAL_ABI_VERSION_SYMBOL NOPAL_STRING(NOPAL_ABI_VERSION_NAME)

struct nopal_frame;

/* A slow clone: goes on with `frame` after the spawn whose site is stored in it. Called on a stack
 * segment that holds a worker's loop only, or by a thread that never leaves its own stack, above
 * what is there. Returns the frame whose suspended stack the caller must now resume, or NULL. Never
 * unwinds. */
typedef struct nopal_frame *(*nopal_slow_clone)(struct nopal_frame *frame);

/* One spawn in the program. A constant: it needs relocations, so it lies in memory that the dynamic
 * linker write-protects after them (RELRO). */
typedef struct nopal_site {
  nopal_slow_clone slow;
  const char *function; /* as a person would write it (demangled by the runtime when printed) */
  const char *file;
  uint32_t line;
  uint32_t column;
  uint32_t index; /* case of the slow clone's switch */
  /* Offset in the frame of the place where the fast clone keeps its frame address (what rbp holds
   * in it), for profilers that follow the chain of frame pointers: stack/call_slow.h. 0 if the
   * function was compiled without frame pointers. */
  uint32_t frame_address;
  uint64_t *steals; /* the counter of this spawn, in .bss; thieves add 1, relaxed */
  /* An upper bound of the bytes of the fast clone's activation on the stack, from the frame
   * header's address down to its lowest byte: what it calls lies at most that far below the header,
   * plus its own return address. 0: not known. */
  uint32_t frame_bytes;
  /* The site's entry, as an offset from the site. Nobody reads it: the reference makes optimizer
   * and linker keep the entry for as long as they keep the site, and no longer. */
  int32_t entry;
  uint64_t reserved;
} nopal_site;

/* How the runtime finds the sites of a module: the section nopal_sites is an array of these, one
 * for each site. The value is the site's address less the entry's own, so the section needs no
 * dynamic relocation and is never written. */
typedef int32_t nopal_site_entry;
#define NOPAL_SITES_SECTION "nopal_sites" /* a C identifier: the linker defines its bounds */

/* The header of a frame. The frame is a local variable of the fast clone, so it never moves while
 * the function is active; the compiler's own slots follow the header. "Holder" is who runs the
 * continuation: the fast clone, or after a steal the thief and then its slow clone. */
typedef struct nopal_frame {
  /* The holder, before a push, unless it names that spawn already. Bit 0 (NOPAL_SITE_SLOW) is set
   * when a slow clone pushes: then children are outstanding, and what is valid after a steal only
   * is valid. A thief that finds the bit clear is the first one to steal from this fast clone. */
  uintptr_t site;
  /* 0 when the fast clone pushes. Bits 0 and 1 are flags (below), the rest is a signed count in
   * units of NOPAL_JOIN_ONE. */
  int64_t join;
  /* After a steal. The holder: continuations stolen since the last completed sync. The first thief
   * sets it to 1, the others add 1. */
  int64_t steals;
  /* After a steal. The worker that leaves the fast clone's stack, before its own join: where that
   * stack is suspended. Or, if its thread waits on that stack and alone may run there: the thread,
   * plus NOPAL_CONTEXT_THREAD. */
  uintptr_t context;
  /* Valid if NOPAL_JOIN_THREW is set: list of exceptions, see runtime/src/frame. */
  void *exceptions;
  /* After a steal. The first thief sets it to NULL, then the holder: reserved for the views of
   * hyperobjects. */
  void *views;
  /* Only in functions with dynamic allocas: their fast clone sets it to NULL before any push */
  void *arena;
  /* After a steal. The slow clone that reaches a sync or a throw, before its join: where the fast
   * clone goes on. */
  uint32_t resume;
  /* After a steal. The first thief: the mark of the path that ran the fast clone, which goes on
   * with it after the sync. It says whose work that is: the number of a worker, 24 bits, and a
   * generation (src/policy/policy.h). */
  uint32_t owner;
} nopal_frame;

#define NOPAL_SITE_SLOW ((uintptr_t)1)
#define NOPAL_CONTEXT_THREAD ((uintptr_t)1)
#define NOPAL_JOIN_THREW ((int64_t)1)  /* `exceptions` is valid and not empty */
#define NOPAL_JOIN_LOCKED ((int64_t)2) /* somebody is changing `exceptions` */
#define NOPAL_JOIN_ONE ((int64_t)4)
#define NOPAL_ALL_REGIONS ((uint32_t)0xffffff)

/* ---- The fast path: written in runtime/fastpath, inlined into the clones, never called. ---- */

/* Prepares the header, on every path before the first push of an activation of a fast clone. */
void nopal_fast_enter(nopal_frame *frame);
/* Names the spawn of the pushes that follow: `site` is the nopal_site's address, plus
 * NOPAL_SITE_SLOW in a slow clone. A fast clone that was resumed since names its spawn again. */
void nopal_fast_site(nopal_frame *frame, uintptr_t site);
/* Makes the continuation after that spawn stealable. The result is unused (decision 0007). */
uintptr_t nopal_fast_push(nopal_frame *frame);
/* After the child has returned or thrown: true if the continuation is still here (and is now
 * taken back). `pushed` is unused. */
bool nopal_fast_pop(nopal_frame *frame, uintptr_t pushed);

/* ---- Entry points of the runtime, all cold. ---- */

/* Fast clone, child returned, pop failed: joins. Returns on the same stack, maybe on another thread
 * (never for an attached thread's own stack), when `frame->resume` tells where to go on and no
 * child is outstanding. */
void nopal_suspend(nopal_frame *frame);
/* The same for a child of sync region `region` that threw; takes the _Unwind_Exception over.
 * Regions are numbers below 2^24 that the compiler gives within a function; in a function whose
 * spawns are all of one region it passes NOPAL_ALL_REGIONS everywhere. */
void nopal_suspend_thrown(nopal_frame *frame, void *unwind_exception, uint32_t region);

/* Slow clone, child returned, pop failed: joins. The result is what the slow clone returns. */
nopal_frame *nopal_leave(nopal_frame *frame);
/* The same for a child that threw. `order` is frame->steals as read at the entry of this slow
 * clone. */
nopal_frame *nopal_leave_thrown(nopal_frame *frame, void *unwind_exception, int64_t order,
                                uint32_t region);
/* Slow clone at a sync: the fast clone shall go on at `resume`. The result is what the slow clone
 * returns. */
nopal_frame *nopal_sync(nopal_frame *frame, uint32_t resume);
/* Slow clone whose continuation threw in `region`: sync, then the fast clone raises it at
 * `resume`. */
nopal_frame *nopal_throw(nopal_frame *frame, void *unwind_exception, uint32_t resume,
                         uint32_t region);

/* Fast clone at the end of a sync for `region`: raises the serially first of the exceptions kept
 * for that region and destroys its others; returns if there are none. What is kept for outer
 * regions stays, with NOPAL_JOIN_THREW, until their sync. */
void nopal_raise_pending(nopal_frame *frame, uint32_t region);
/* Fast clone in `region` that an exception passes while NOPAL_JOIN_THREW is set: raises the
 * serially first of it and those kept for the region. Does not return. */
void nopal_merge_pending(nopal_frame *frame, void *unwind_exception, uint32_t region);
/* Fast clone, leaving `region` by an exception while NOPAL_JOIN_THREW is set: destroys what is kept
 * for the region. */
void nopal_discard_pending(nopal_frame *frame, uint32_t region);

/* Dynamic allocas in slow clones: memory that lives until its scope ends (nopal_arena_release), or
 * until nopal_arena_free, which the fast clone calls when its function ends. The continuation's
 * holder calls these, one at a time. `bytes` is SIZE_MAX if the size has overflowed. */
void *nopal_arena_alloc(nopal_frame *frame, size_t bytes, size_t alignment);
void nopal_arena_free(nopal_frame *frame);
/* The beginning of a scope, in a slow clone, or in a fast clone whose arena is not empty. `stack`
 * is the fast clone's stack pointer as the scope finds it. The result stands for both, arena and
 * stack pointer. It is no stack address, and is valid until an older mark is released. */
void *nopal_arena_mark(nopal_frame *frame, void *stack);
/* The end of a scope: frees what the arena got since `mark` was taken. `mark` is a result of
 * nopal_arena_mark, or the fast clone's stack pointer at a time when the arena was empty. Returns
 * the fast clone's stack pointer as it was when `mark` was taken. */
void *nopal_arena_release(nopal_frame *frame, void *mark);
/* Frees `temporary`, a result of nopal_temporary_alloc or NULL, when all that the arena has got by
 * now is freed. */
void nopal_arena_keep(nopal_frame *frame, void *temporary);
/* Temporaries of a spawned statement that an exception of the parent may have to destroy; any
 * thread may free. */
void *nopal_temporary_alloc(size_t bytes, size_t alignment);
void nopal_temporary_free(void *memory);

/* The number of iterations that a leaf of a cilk_for has at most, if the program does not say:
 * max(least, min(2048, count / (8 P))) for P workers as configured now. `least` is the compiler's:
 * 1, or what it takes for a leaf to be worth a steal; it counts as 1 in chaos and under the thread
 * sanitizer, which are to see each iteration run in parallel. Any thread; cheap, starts nothing,
 * pushes nothing. */
uint64_t nopal_loop_grain(uint64_t count, uint64_t least);
/* Nonzero once `least` is known to count: then a loop of no more iterations need not ask. Written
 * once, by the first call of nopal_loop_grain; read by compiled code, before loops that may be so
 * small, as an unordered atomic. */
extern uint8_t nopal_least_counts;

/* ---- Views of hyperobjects: the look-ups that compiled code finds by itself. ---- */

/* `nopal_strand::stolen` (include/cilk/views.h), unless it is null, is the worker's table of
 * NOPAL_RECENT_VIEWS of these. A hyperobject has one slot: the upper NOPAL_RECENT_VIEW_BITS bits of
 * its address, as 32 bits, times NOPAL_RECENT_VIEW_FACTOR. The worker's owner reads and writes. */
typedef struct nopal_recent_view {
  void *hyperobject; /* null: empty */
  void *view;
} nopal_recent_view;

#define NOPAL_RECENT_VIEW_BITS 6
#define NOPAL_RECENT_VIEWS (1 << NOPAL_RECENT_VIEW_BITS)
#define NOPAL_RECENT_VIEW_FACTOR UINT32_C(0x9e3779b1) /* a prime near 2^32 / the golden ratio */

/* Called by a constructor of each module with the bounds of its section nopal_sites; repeated calls
 * are harmless. */
void nopal_register_sites(const nopal_site_entry *begin, const nopal_site_entry *end);

extern const char NOPAL_ABI_VERSION_NAME;

/* Every function that clones call, and what looks views up, by name. The compiler takes their types
 * from the declarations above and in <cilk/views.h>, which runtime/fastpath/fastpath.cpp carries
 * into its bitcode. */
#define NOPAL_ENTRY_POINTS(ENTRY) \
  ENTRY(nopal_fast_enter)         \
  ENTRY(nopal_fast_site)          \
  ENTRY(nopal_fast_push)          \
  ENTRY(nopal_fast_pop)           \
  ENTRY(nopal_suspend)            \
  ENTRY(nopal_suspend_thrown)     \
  ENTRY(nopal_leave)              \
  ENTRY(nopal_leave_thrown)       \
  ENTRY(nopal_sync)               \
  ENTRY(nopal_throw)              \
  ENTRY(nopal_raise_pending)      \
  ENTRY(nopal_merge_pending)      \
  ENTRY(nopal_discard_pending)    \
  ENTRY(nopal_arena_alloc)        \
  ENTRY(nopal_arena_free)         \
  ENTRY(nopal_arena_mark)         \
  ENTRY(nopal_arena_release)      \
  ENTRY(nopal_arena_keep)         \
  ENTRY(nopal_temporary_alloc)    \
  ENTRY(nopal_temporary_free)     \
  ENTRY(nopal_loop_grain)         \
  ENTRY(nopal_register_sites)     \
  ENTRY(nopal_view)               \
  ENTRY(nopal_find_view)          \
  ENTRY(nopal_view_now)           \
  ENTRY(nopal_views_begin)        \
  ENTRY(nopal_views_end)          \
  ENTRY(__cilkrts_reducer_lookup)

#ifdef __cplusplus
}
static_assert(sizeof(nopal_frame) == 64, "the splitter's frame header");
static_assert(sizeof(nopal_site) == 64, "a thief reads one cache line");
#endif
#endif
