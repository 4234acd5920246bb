/* Bitwise and, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_and<T>> r; *r &= x; r.get_value(). And the older
 * cilk::reducer_opand<T> r; r &= x. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OPAND_H
#define CILK_REDUCER_OPAND_H

#include "reducer.h"

#ifdef __cplusplus

namespace cilk {

template <class T>
class op_and_view : public scalar_view<T> {
 public:
  /// The right side of `*r = *r & x`.
  class update {
   public:
    update(const op_and_view *from, const T &value) : from_(from), value_(value) {}
    update operator&(const T &x) const { return update(from_, T(value_ & x)); }

   private:
    friend class op_and_view;
    const op_and_view *from_;
    T value_;
  };

  op_and_view() : scalar_view<T>(T(~T())) {}
  explicit op_and_view(const T &value) : scalar_view<T>(value) {}

  op_and_view &operator&=(const T &x) {
    this->m_value &= x;
    return *this;
  }
  op_and_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    this->m_value = right.value_;
    return *this;
  }
  friend update operator&(const op_and_view &view, const T &x) {
    return update(&view, T(view.m_value & x));
  }
  void reduce(op_and_view *right) { this->m_value &= right->m_value; }
};

template <class T, bool kAlign = false>
struct op_and : monoid_with_view<op_and_view<T>, kAlign> {};

template <class T>
class reducer_opand
    : public detail::older_reducer<reducer_opand<T>, op_and<T, true>, op_and<T, false>> {
  using base = detail::older_reducer<reducer_opand<T>, op_and<T, true>, op_and<T, false>>;
  using update = typename op_and_view<T>::update;

 public:
  reducer_opand() {}
  explicit reducer_opand(const T &initial) : base(initial) {}
  reducer_opand &operator&=(const T &x) {
    this->view() &= x;
    return *this;
  }
  reducer_opand &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
  friend update operator&(const reducer_opand &reducer, const T &x) { return reducer.view() & x; }
};
template <class T, bool kAlign>
struct legacy_reducer_downcast<reducer<op_and<T, kAlign>>> {
  using type = reducer_opand<T>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
