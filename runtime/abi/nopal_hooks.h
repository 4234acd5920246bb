/* The contract between a program that is lowered to serial code with hooks and the tool that
 * defines the hooks.
 *
 * The lowering (clang-plugin/serial) turns each spawn into a call in place and puts calls of these
 * functions around it. It defines none of them: a tool's library does, and a program links just one
 * tool. Which sequences of calls are legal, and what holds at each: clang-plugin/serial/README.md.
 * A library that checks that: tests/span/checker. Includes only <stdint.h>. C11 and C++17.
 *
 * All are called by compiled code, on the thread that runs it, and must neither throw nor spawn.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NOPAL_HOOKS_H
#define NOPAL_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nopal_hook_kind {
  NOPAL_HOOK_FUNCTION, /* a function that spawns */
  NOPAL_HOOK_SPAWN,    /* a spawned statement */
  NOPAL_HOOK_LOOP      /* a cilk_for */
} nopal_hook_kind;

/* What a hook is told of its place in the source. Several records may name one place: instances of
 * a template, copies that the optimizer made, an inline function in two modules. */
typedef struct nopal_hook_site {
  /* As the linker knows it, or demangled where not each C++ library could; of a spawn or a loop:
   * the function around it. */
  const char *function;
  const char *file;
  uint32_t line;   /* 0: not known */
  uint32_t column; /* 0: not known */
  uint32_t kind;   /* nopal_hook_kind */
  uint32_t reserved;
  void *tool; /* the tool's own; NULL when the program starts */
} nopal_hook_site;

/* A function that spawns begins, and ends: by a return or by an exception. */
void nopal_hook_enter(nopal_hook_site *function);
void nopal_hook_leave(nopal_hook_site *function);

/* A child begins, and ends: by a return or by an exception. What follows up to the next sync of the
 * function that was entered last may run beside it. */
void nopal_hook_spawn(nopal_hook_site *site);
void nopal_hook_return(nopal_hook_site *site);

/* The function that was entered last waits for all its children. */
void nopal_hook_sync(nopal_hook_site *function);

/* A cilk_for of `count` iterations begins. `grain` is the program's own, or 0; `least` is how many
 * iterations are worth a steal, as far as the compiler knows, or 1. The result, at least 1, is how
 * many iterations a leaf has at most. */
uint64_t nopal_hook_loop(nopal_hook_site *site, uint64_t count, uint64_t grain, uint64_t least);
/* A leaf of [low, high) begins, and ends: by a return or by an exception. */
void nopal_hook_leaf(nopal_hook_site *site, uint64_t low, uint64_t high);
void nopal_hook_leaf_end(nopal_hook_site *site);
/* The loop ends, and has waited for its leaves. */
void nopal_hook_loop_end(nopal_hook_site *site);

/* The statement that is spawned next has `bytes` of memory for itself at `memory`, which another
 * execution of a spawn may have had before. */
void nopal_hook_fresh(void *memory, uint64_t bytes);

/* Called by the runtime and not by compiled code: a thread spawns in code that was compiled without
 * hooks, for the first time. That code runs in parallel, and the tool does not see it. Several
 * threads may call at once. A tool need not define it. `file` is constant. */
void nopal_hook_unseen(const char *file, uint32_t line, uint32_t column);

/* Every hook of compiled code, by name. */
#define NOPAL_HOOKS(HOOK)   \
  HOOK(nopal_hook_enter)    \
  HOOK(nopal_hook_leave)    \
  HOOK(nopal_hook_spawn)    \
  HOOK(nopal_hook_return)   \
  HOOK(nopal_hook_sync)     \
  HOOK(nopal_hook_loop)     \
  HOOK(nopal_hook_leaf)     \
  HOOK(nopal_hook_leaf_end) \
  HOOK(nopal_hook_loop_end) \
  HOOK(nopal_hook_fresh)

#ifdef __cplusplus
}
#endif
#endif
