/* Bitwise exclusive or, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_xor<T>> r; *r ^= x; r.get_value(). And the older
 * cilk::reducer_opxor<T> r; r ^= x. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OPXOR_H
#define CILK_REDUCER_OPXOR_H

#include "reducer.h"

#ifdef __cplusplus

namespace cilk {

template <class T>
class op_xor_view : public scalar_view<T> {
 public:
  /// The right side of `*r = *r ^ x`.
  class update {
   public:
    update(const op_xor_view *from, const T &value) : from_(from), value_(value) {}
    update operator^(const T &x) const { return update(from_, T(value_ ^ x)); }

   private:
    friend class op_xor_view;
    const op_xor_view *from_;
    T value_;
  };

  op_xor_view() : scalar_view<T>(T()) {}
  explicit op_xor_view(const T &value) : scalar_view<T>(value) {}

  op_xor_view &operator^=(const T &x) {
    this->m_value ^= x;
    return *this;
  }
  op_xor_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    this->m_value = right.value_;
    return *this;
  }
  friend update operator^(const op_xor_view &view, const T &x) {
    return update(&view, T(view.m_value ^ x));
  }
  void reduce(op_xor_view *right) { this->m_value ^= right->m_value; }
};

template <class T, bool kAlign = false>
struct op_xor : monoid_with_view<op_xor_view<T>, kAlign> {};

template <class T>
class reducer_opxor
    : public detail::older_reducer<reducer_opxor<T>, op_xor<T, true>, op_xor<T, false>> {
  using base = detail::older_reducer<reducer_opxor<T>, op_xor<T, true>, op_xor<T, false>>;
  using update = typename op_xor_view<T>::update;

 public:
  reducer_opxor() {}
  explicit reducer_opxor(const T &initial) : base(initial) {}
  reducer_opxor &operator^=(const T &x) {
    this->view() ^= x;
    return *this;
  }
  reducer_opxor &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
  friend update operator^(const reducer_opxor &reducer, const T &x) { return reducer.view() ^ x; }
};
template <class T, bool kAlign>
struct legacy_reducer_downcast<reducer<op_xor<T, kAlign>>> {
  using type = reducer_opxor<T>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
