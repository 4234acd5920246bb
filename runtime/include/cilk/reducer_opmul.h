/* Products, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_mul<T>> r; *r *= x; r.get_value(). And the older
 * cilk::reducer_opmul<T> r; r *= x. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OPMUL_H
#define CILK_REDUCER_OPMUL_H

#include "reducer.h"

#ifdef __cplusplus

namespace cilk {

template <class T>
class op_mul_view : public scalar_view<T> {
 public:
  /// The right side of `*r = *r * x`.
  class update {
   public:
    update(const op_mul_view *from, const T &value) : from_(from), value_(value) {}
    update operator*(const T &x) const { return update(from_, T(value_ * x)); }

   private:
    friend class op_mul_view;
    const op_mul_view *from_;
    T value_;
  };

  op_mul_view() : scalar_view<T>(T(1)) {}
  explicit op_mul_view(const T &value) : scalar_view<T>(value) {}

  op_mul_view &operator*=(const T &x) {
    this->m_value *= x;
    return *this;
  }
  op_mul_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    this->m_value = right.value_;
    return *this;
  }
  friend update operator*(const op_mul_view &view, const T &x) {
    return update(&view, T(view.m_value * x));
  }
  void reduce(op_mul_view *right) { this->m_value *= right->m_value; }
};

template <class T, bool kAlign = false>
struct op_mul : monoid_with_view<op_mul_view<T>, kAlign> {};

template <class T>
class reducer_opmul
    : public detail::older_reducer<reducer_opmul<T>, op_mul<T, true>, op_mul<T, false>> {
  using base = detail::older_reducer<reducer_opmul<T>, op_mul<T, true>, op_mul<T, false>>;
  using update = typename op_mul_view<T>::update;

 public:
  reducer_opmul() {}
  explicit reducer_opmul(const T &initial) : base(initial) {}
  reducer_opmul &operator*=(const T &x) {
    this->view() *= x;
    return *this;
  }
  reducer_opmul &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
  friend update operator*(const reducer_opmul &reducer, const T &x) { return reducer.view() * x; }
};
template <class T, bool kAlign>
struct legacy_reducer_downcast<reducer<op_mul<T, kAlign>>> {
  using type = reducer_opmul<T>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
