/* Reducers by Cilk Plus' macros for C.
 *
 *     CILK_C_REDUCER_OPADD(sum, long, 0);
 *     CILK_C_REGISTER_REDUCER(sum);
 *     cilk_for (long i = 0; i < n; ++i) REDUCER_VIEW(sum) += f(i);
 *     CILK_C_UNREGISTER_REDUCER(sum);
 *     printf("%ld\n", sum.value);
 *
 * C11 and C++17. Included by <cilk/reducer.h> and <cilk/reducer_opadd.h> and so on. For a maximum
 * CILK_C_REDUCER_MAX(best, int, INT_MIN) and CILK_C_REDUCER_MAX_CALC(best, x), with an index
 * CILK_C_REDUCER_MAX_INDEX and CILK_C_REDUCER_MAX_INDEX_CALC(best, i, x); MIN likewise. A callback
 * has the reducer's address as first argument: reduce(reducer, left, right), identity(reducer,
 * view) and destroy(reducer, view); the last may be null or __cilkrts_hyperobject_noop_destroy.
 * Register a reducer that is a local variable, or unregister it before it dies. With CILK_SERIAL
 * defined a reducer is its value. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_C_H
#define CILK_REDUCER_C_H

#include "hyperobject_base.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define CILK_C_DECLARE_REDUCER(Type)                \
  struct {                                          \
    __cilkrts_hyperobject_base __cilkrts_hyperbase; \
    __attribute__((aligned(64))) Type value;        \
  }
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...)                            \
  {{{Reduce, Identity, Destroy, __cilkrts_hyperobject_alloc, __cilkrts_hyperobject_dealloc}, \
    0,                                                                                       \
    64,                                                                                      \
    sizeof(Type)},                                                                           \
   __VA_ARGS__}
#define CILK_C_REGISTER_REDUCER(reducer) __cilkrts_hyper_create(&(reducer).__cilkrts_hyperbase)
#define CILK_C_UNREGISTER_REDUCER(reducer) __cilkrts_hyper_destroy(&(reducer).__cilkrts_hyperbase)
#define REDUCER_VIEW(reducer) \
  (*(__typeof__((reducer).value) *)__cilkrts_hyper_lookup(&(reducer).__cilkrts_hyperbase))

/* Names of types in the macros below, and the types. */
#define NOPAL_C_TYPES(F)    \
  F(char, char)             \
  F(schar, signed char)     \
  F(uchar, unsigned char)   \
  F(wchar_t, wchar_t)       \
  F(short, short)           \
  F(ushort, unsigned short) \
  F(int, int)               \
  F(uint, unsigned int)     \
  F(unsigned, unsigned int) \
  F(long, long)             \
  F(ulong, unsigned long)   \
  F(longlong, long long)    \
  F(ulonglong, unsigned long long)

/* A reducer of a type, and the value that a view begins with. */
#define NOPAL_C_DECLARE(operation, name, Type, ...)                                     \
  typedef CILK_C_DECLARE_REDUCER(Type) nopal_c_##operation##_##name;                    \
  static inline void nopal_c_##operation##_identity_##name(void *reducer, void *view) { \
    static const Type first = __VA_ARGS__;                                              \
    (void)reducer;                                                                      \
    *(Type *)view = first;                                                              \
  }
#define NOPAL_C_OPERATION(operation, name, Type, identity, operator_)                              \
  NOPAL_C_DECLARE(operation, name, Type, (Type)(identity))                                         \
  static inline void nopal_c_##operation##_reduce_##name(void *reducer, void *left, void *right) { \
    (void)reducer;                                                                                 \
    *(Type *)left = (Type)(*(Type *)left operator_ * (Type *)right);                               \
  }
#define NOPAL_C_ADD(name, Type) NOPAL_C_OPERATION(opadd, name, Type, 0, +)
#define NOPAL_C_MUL(name, Type) NOPAL_C_OPERATION(opmul, name, Type, 1, *)
#define NOPAL_C_AND(name, Type) NOPAL_C_OPERATION(opand, name, Type, ~(Type)0, &)
#define NOPAL_C_OR(name, Type) NOPAL_C_OPERATION(opor, name, Type, 0, |)
#define NOPAL_C_XOR(name, Type) NOPAL_C_OPERATION(opxor, name, Type, 0, ^)
NOPAL_C_TYPES(NOPAL_C_ADD)
NOPAL_C_ADD(float, float)
NOPAL_C_ADD(double, double)
NOPAL_C_ADD(longdouble, long double)
NOPAL_C_TYPES(NOPAL_C_MUL)
NOPAL_C_MUL(float, float)
NOPAL_C_MUL(double, double)
NOPAL_C_MUL(longdouble, long double)
NOPAL_C_TYPES(NOPAL_C_AND)
NOPAL_C_TYPES(NOPAL_C_OR)
NOPAL_C_TYPES(NOPAL_C_XOR)

/* Names of types, the types, and their lowest and highest values. */
#define NOPAL_C_ORDERED_TYPES(F)                                 \
  F(char, char, CHAR_MIN, CHAR_MAX)                              \
  F(schar, signed char, SCHAR_MIN, SCHAR_MAX)                    \
  F(uchar, unsigned char, 0, UCHAR_MAX)                          \
  F(wchar_t, wchar_t, WCHAR_MIN, WCHAR_MAX)                      \
  F(short, short, SHRT_MIN, SHRT_MAX)                            \
  F(ushort, unsigned short, 0, USHRT_MAX)                        \
  F(int, int, INT_MIN, INT_MAX)                                  \
  F(uint, unsigned int, 0, UINT_MAX)                             \
  F(unsigned, unsigned int, 0, UINT_MAX)                         \
  F(long, long, LONG_MIN, LONG_MAX)                              \
  F(ulong, unsigned long, 0, ULONG_MAX)                          \
  F(longlong, long long, LLONG_MIN, LLONG_MAX)                   \
  F(ulonglong, unsigned long long, 0, ULLONG_MAX)                \
  F(float, float, -__builtin_huge_valf(), __builtin_huge_valf()) \
  F(double, double, -__builtin_huge_val(), __builtin_huge_val()) \
  F(longdouble, long double, -__builtin_huge_vall(), __builtin_huge_vall())

/* MAX and MIN keep a value, MAX_INDEX and MIN_INDEX the first index at which it was found too. */
#define NOPAL_C_EXTREMUM(operation, name, Type, identity, is_worse)                                \
  NOPAL_C_DECLARE(operation, name, Type, (Type)(identity))                                         \
  static inline void nopal_c_##operation##_reduce_##name(void *reducer, void *left, void *right) { \
    (void)reducer;                                                                                 \
    if (*(Type *)left is_worse * (Type *)right) *(Type *)left = *(Type *)right;                    \
  }                                                                                                \
  typedef struct {                                                                                 \
    ptrdiff_t index;                                                                               \
    Type value;                                                                                    \
  } nopal_c_##operation##_at_##name;                                                               \
  NOPAL_C_DECLARE(operation##_index, name, nopal_c_##operation##_at_##name, {0, (Type)(identity)}) \
  static inline void nopal_c_##operation##_index_reduce_##name(void *reducer, void *left,          \
                                                               void *right) {                      \
    nopal_c_##operation##_at_##name *const into = (nopal_c_##operation##_at_##name *)left;         \
    const nopal_c_##operation##_at_##name *const from =                                            \
        (const nopal_c_##operation##_at_##name *)right;                                            \
    (void)reducer;                                                                                 \
    if (into->value is_worse from->value) *into = *from;                                           \
  }
#define NOPAL_C_MAX(name, Type, lowest, highest) NOPAL_C_EXTREMUM(max, name, Type, lowest, <)
#define NOPAL_C_MIN(name, Type, lowest, highest) NOPAL_C_EXTREMUM(min, name, Type, highest, >)
NOPAL_C_ORDERED_TYPES(NOPAL_C_MAX)
NOPAL_C_ORDERED_TYPES(NOPAL_C_MIN)

#define NOPAL_C_REDUCER(operation, reducer, name, ...)                                             \
  nopal_c_##operation##_##name reducer = CILK_C_INIT_REDUCER(                                      \
      __typeof__(((nopal_c_##operation##_##name *)0)->value), nopal_c_##operation##_reduce_##name, \
      nopal_c_##operation##_identity_##name, 0, __VA_ARGS__)
#define CILK_C_REDUCER_OPADD(reducer, name, ...) NOPAL_C_REDUCER(opadd, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPMUL(reducer, name, ...) NOPAL_C_REDUCER(opmul, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPAND(reducer, name, ...) NOPAL_C_REDUCER(opand, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPOR(reducer, name, ...) NOPAL_C_REDUCER(opor, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_OPXOR(reducer, name, ...) NOPAL_C_REDUCER(opxor, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_MAX(reducer, name, ...) NOPAL_C_REDUCER(max, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_MIN(reducer, name, ...) NOPAL_C_REDUCER(min, reducer, name, __VA_ARGS__)
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, ...) \
  NOPAL_C_REDUCER(max_index, reducer, name, {0, __VA_ARGS__})
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, ...) \
  NOPAL_C_REDUCER(min_index, reducer, name, {0, __VA_ARGS__})

#define NOPAL_C_CALC(reducer, from, is_worse)                               \
  do {                                                                      \
    __typeof__((reducer).value) *const nopal_best = &REDUCER_VIEW(reducer); \
    const __typeof__(from) nopal_offered = (from);                          \
    if (*nopal_best is_worse nopal_offered) *nopal_best = nopal_offered;    \
  } while (0)
#define CILK_C_REDUCER_MAX_CALC(reducer, from) NOPAL_C_CALC(reducer, from, <)
#define CILK_C_REDUCER_MIN_CALC(reducer, from) NOPAL_C_CALC(reducer, from, >)
#define NOPAL_C_INDEX_CALC(reducer, at, from, is_worse)                     \
  do {                                                                      \
    __typeof__((reducer).value) *const nopal_best = &REDUCER_VIEW(reducer); \
    const __typeof__(from) nopal_offered = (from);                          \
    if (nopal_best->value is_worse nopal_offered) {                         \
      nopal_best->index = (at);                                             \
      nopal_best->value = nopal_offered;                                    \
    }                                                                       \
  } while (0)
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, at, from) NOPAL_C_INDEX_CALC(reducer, at, from, <)
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, at, from) NOPAL_C_INDEX_CALC(reducer, at, from, >)

#define CILK_C_REDUCER_MAX_TYPE(name) nopal_c_max_##name
#define CILK_C_REDUCER_MIN_TYPE(name) nopal_c_min_##name
#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) nopal_c_max_index_##name
#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) nopal_c_min_index_##name
#define CILK_C_REDUCER_OPADD_TYPE(name) nopal_c_opadd_##name
#define CILK_C_REDUCER_OPMUL_TYPE(name) nopal_c_opmul_##name
#define CILK_C_REDUCER_OPAND_TYPE(name) nopal_c_opand_##name
#define CILK_C_REDUCER_OPOR_TYPE(name) nopal_c_opor_##name
#define CILK_C_REDUCER_OPXOR_TYPE(name) nopal_c_opxor_##name

#endif
