/* cilk::opadd_reducer<T>: a sum, as OpenCilk has it.
 *
 *     cilk::opadd_reducer<long> sum = 0;
 *     cilk_for (long i = 0; i < n; ++i) sum += f(i);
 *
 * C++17. A hyperobject of the language: a use is the current view, so `sum` is a T wherever it is
 * used. Give it its first value, as any other variable. With CILK_SERIAL defined it is a T.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_OPADD_REDUCER_H
#define CILK_OPADD_REDUCER_H

#ifndef __cplusplus
#error "<cilk/opadd_reducer.h> is for C++; in C write 'long cilk_reducer(zero, plus) sum'"
#endif

#include "keywords.h"

#include <new>

namespace cilk {

/// The identity of a sum.
template <class T>
void zero(void *view) {
  ::new (view) T(0);
}
/// Adds the right view to the left one, and ends the right one.
template <class T>
void plus(void *left, void *right) {
  T *const from = static_cast<T *>(right);
  *static_cast<T *>(left) += *from;
  from->~T();
}

template <class T>
using opadd_reducer = T _Hyperobject(zero<T>, plus<T>);

}  // namespace cilk

#endif
