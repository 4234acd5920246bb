/* Bitwise or, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_or<T>> r; *r |= x; r.get_value(). And the older
 * cilk::reducer_opor<T> r; r |= x. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OPOR_H
#define CILK_REDUCER_OPOR_H

#include "reducer.h"

#ifdef __cplusplus

namespace cilk {

template <class T>
class op_or_view : public scalar_view<T> {
 public:
  /// The right side of `*r = *r | x`.
  class update {
   public:
    update(const op_or_view *from, const T &value) : from_(from), value_(value) {}
    update operator|(const T &x) const { return update(from_, T(value_ | x)); }

   private:
    friend class op_or_view;
    const op_or_view *from_;
    T value_;
  };

  op_or_view() : scalar_view<T>(T()) {}
  explicit op_or_view(const T &value) : scalar_view<T>(value) {}

  op_or_view &operator|=(const T &x) {
    this->m_value |= x;
    return *this;
  }
  op_or_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    this->m_value = right.value_;
    return *this;
  }
  friend update operator|(const op_or_view &view, const T &x) {
    return update(&view, T(view.m_value | x));
  }
  void reduce(op_or_view *right) { this->m_value |= right->m_value; }
};

template <class T, bool kAlign = false>
struct op_or : monoid_with_view<op_or_view<T>, kAlign> {};

template <class T>
class reducer_opor
    : public detail::older_reducer<reducer_opor<T>, op_or<T, true>, op_or<T, false>> {
  using base = detail::older_reducer<reducer_opor<T>, op_or<T, true>, op_or<T, false>>;
  using update = typename op_or_view<T>::update;

 public:
  reducer_opor() {}
  explicit reducer_opor(const T &initial) : base(initial) {}
  reducer_opor &operator|=(const T &x) {
    this->view() |= x;
    return *this;
  }
  reducer_opor &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
  friend update operator|(const reducer_opor &reducer, const T &x) { return reducer.view() | x; }
};
template <class T, bool kAlign>
struct legacy_reducer_downcast<reducer<op_or<T, kAlign>>> {
  using type = reducer_opor<T>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
