/*===- cilk/keywords.h - _Cilk_spawn and the other reserved keywords ---------===
 *
 * `_Cilk_spawn`, `_Cilk_sync`, `_Cilk_scope`, `_Cilk_for`, `_Hyperobject` and
 * `__cilk`, and nothing that a program may have for a name of its own: nopal-clang includes
 * this before each file under -fcilkplus and -fopencilk. <cilk/cilk.h> has
 * `cilk_spawn` and the others besides, and says what the keywords are.
 *
 * Tested by tests/install/driver_test.py and tests/diagnostics.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef NOPAL_CILK_KEYWORDS_H
#define NOPAL_CILK_KEYWORDS_H

/* A static analyzer (clang-tidy, scan-build) without the plugin reads the serial
   program. No code comes of it. */
#if defined(__clang_analyzer__) && !defined(CILK_SERIAL)
#if !__has_attribute(nopal_spawn)
#define CILK_SERIAL
/* #pragma cilk grainsize, in the file that includes this one. */
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#endif
#endif

#if defined(CILK_SERIAL)

#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_scope
#define _Cilk_for for
#define _Hyperobject(...)

#elif !defined(__ASSEMBLER__)

#if defined(__has_attribute)
#if __has_attribute(nopal_spawn)
#define NOPAL_HAS_PLUGIN 1
#endif
#endif

#if !defined(NOPAL_HAS_PLUGIN)
#error \
    "this compiler does not know Cilk: compile with nopal-clang (or clang with \
-fpass-plugin=NopalPlugin.so), or define CILK_SERIAL for the serial program"
#endif
#undef NOPAL_HAS_PLUGIN

/* Preprocessed text keeps the pragmas, and a Clang without the plugin, which icecc may send it to,
   would take it for the serial program. With the plugin this is no code. (Before C11 glibc makes a
   macro of the keyword.) */
#pragma push_macro("_Static_assert")
#undef _Static_assert
#pragma cilk needs_nopal_clang
_Static_assert(0, "this compiler does not know Cilk: compile with nopal-clang");
#pragma pop_macro("_Static_assert")

/* The language version, as Cilk Plus had it. */
#define __cilk 200

#define _Cilk_spawn _Pragma("cilk spawn")
#define _Cilk_sync _Pragma("cilk sync")
#define _Cilk_scope _Pragma("cilk scope")
#define _Cilk_for _Pragma("cilk for") for
#define _Hyperobject _Pragma("cilk reducer")

#endif /* CILK_SERIAL */

#endif /* NOPAL_CILK_KEYWORDS_H */
