/*===- cilk/cilk.h - The keywords of Cilk ------------------------------------===
 *
 * Include this to write cilk_spawn, cilk_sync, cilk_scope and cilk_for (also
 * _Cilk_spawn and so on), and cilk_reducer. The keywords are pragmas which the compiler plugin
 * reads, so a preprocessed file can be compiled later.
 *
 * With CILK_SERIAL defined the keywords vanish, and any compiler builds the
 * serial program. Without it and without the plugin there is no program: what
 * was meant to be parallel must not run in serial unnoticed.
 *
 * Used by every Cilk program; tested by tests/diagnostics.
 *
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef NOPAL_CILK_CILK_H
#define NOPAL_CILK_CILK_H
/* OpenCilk's name: programs ask by it whether there is Cilk. */
#define _CILK_H

#include "keywords.h"

#if defined(CILK_SERIAL)

#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for
#define cilk_reducer(...)

#else

#define cilk_spawn _Pragma("cilk spawn")
#define cilk_sync _Pragma("cilk sync")
#define cilk_scope _Pragma("cilk scope")
#define cilk_for _Pragma("cilk for") for
#define cilk_reducer _Pragma("cilk reducer")

#endif /* CILK_SERIAL */

#endif /* NOPAL_CILK_CILK_H */
