/* cilk::holder<T>: scratch space, as OpenCilk has it; under -fcilkplus as Cilk Plus has it
 * (<cilk/holder_monoid.h>).
 *
 *     cilk::holder<std::vector<int>> buffer;
 *     cilk_for (long i = 0; i < n; ++i) { buffer.clear(); ... }
 *
 * C++17. Each strand has a T of its own between two steals, default-initialized at its first use,
 * and may find in it what it left there itself. A hyperobject of the language: a use is the current
 * view. Nothing is kept of a view that ends. With CILK_SERIAL defined it is a T. Checked by
 * tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_HOLDER_H
#define CILK_HOLDER_H

#ifndef __cplusplus
#error "<cilk/holder.h> is for C++; in C write callbacks of your own"
#endif

#ifdef __NOPAL_CILK_PLUS__
#include "holder_monoid.h"
#else

#include "keywords.h"

#include <new>

namespace cilk {

namespace detail {

template <class T>
void make_held(void *view) {
  ::new (view) T;
}
template <class T>
void drop_held(void *, void *right) {
  static_cast<T *>(right)->~T();
}

}  // namespace detail

template <class T>
using holder = T _Hyperobject(detail::make_held<T>, detail::drop_held<T>);

}  // namespace cilk

#endif /* __NOPAL_CILK_PLUS__ */

#endif
