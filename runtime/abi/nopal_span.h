/* What code compiled for work and span calls in place of some hooks (nopal_hooks.h). Each
 * is told what the compiler knows of the code beside it, so that the library does not read the
 * clock around code that takes less time than the read.
 *
 * The calls are made by clang-plugin/span and defined by runtime/span. A program may mix them with
 * the hooks. Includes only nopal_hooks.h. C11 and C++17.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NOPAL_SPAN_H
#define NOPAL_SPAN_H

#include "nopal_hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A `code` operand is the sum of two:
 *   NOPAL_SPAN_UNITS: what the function's own code since its last hook costs, in the units of
 *     LLVM's cost model, about a cycle; if it differs from path to path, the most.
 *   NOPAL_SPAN_LONG: the code up to the next hook may take longer than NOPAL_SPAN_MOST_UNITS. That
 *     includes code of functions that it calls and that have no hook, and the first code of others.
 * If NOPAL_SPAN_LONG is not set, a caller of the function may still go on with long code: that one
 * was told to the hook before the call. */
#define NOPAL_SPAN_UNITS 0xffu
#define NOPAL_SPAN_LONG 0x80000000u
/* Some 40 ns: to read the clock around longer code costs less than that code. */
#define NOPAL_SPAN_MOST_UNITS 128u

/* nopal_hook_spawn, nopal_hook_return, nopal_hook_sync. */
void __nopal_span_spawn(nopal_hook_site *site, uint32_t code);
void __nopal_span_return(uint32_t code);
void __nopal_span_sync(uint32_t code);
/* nopal_hook_enter and nopal_hook_spawn in one; nopal_hook_sync and nopal_hook_leave in one. */
void __nopal_span_enter_spawn(nopal_hook_site *site, uint32_t code);
void __nopal_span_sync_leave(uint32_t code);

#ifdef __cplusplus
}
#endif
#endif
