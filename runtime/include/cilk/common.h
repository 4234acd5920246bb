/* Cilk Plus' macros for those who write headers of their own in its way.
 *
 * C11 and C++17. Nopal's own headers do without. Checked by tests/install/serial_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_COMMON_H
#define CILK_COMMON_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <cstddef>
#endif

/* Of Cilk Plus' last version. */
#define CILK_LIBRARY_VERSION 102

#ifdef __cplusplus
#define __STDNS std::
#define __CILKRTS_BEGIN_EXTERN_C extern "C" {
#define __CILKRTS_END_EXTERN_C }
#define __CILKRTS_EXTERN_C extern "C"
#define __CILKRTS_NOTHROW __attribute__((nothrow))
#define __CILKRTS_INLINE inline
#else
#define __STDNS
#define __CILKRTS_BEGIN_EXTERN_C
#define __CILKRTS_END_EXTERN_C
#define __CILKRTS_EXTERN_C
#define __CILKRTS_NOTHROW
#define __CILKRTS_INLINE static inline
#endif

#define CILK_EXPORT
#define CILK_EXPORT_DATA
#define CILK_API(Type) CILK_EXPORT Type __CILKRTS_NOTHROW
#define CILK_ABI(Type) CILK_EXPORT Type __CILKRTS_NOTHROW
#define CILK_ABI_THROWS(Type) CILK_EXPORT Type

#define __CILKRTS_CACHE_LINE__ 64
#define CILK_ALIGNAS(bytes) __attribute__((__aligned__(bytes)))
#define __CILKRTS_CACHE_ALIGN CILK_ALIGNAS(__CILKRTS_CACHE_LINE__)

/* Without optimization, as there. */
#ifdef __OPTIMIZE__
#define __CILKRTS_ASSERT(condition) ((void)0)
#else
#define __CILKRTS_ASSERT(condition) assert(condition)
#endif

#endif
