/* Sums, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_add<T>> r; *r += x; r.get_value(). And the older
 * cilk::reducer_opadd<T> r; r += x. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OPADD_H
#define CILK_REDUCER_OPADD_H

#include "reducer.h"

#ifdef __cplusplus

namespace cilk {

template <class T>
class op_add_view : public scalar_view<T> {
 public:
  /// The right side of `*r = *r + x`.
  class update {
   public:
    update(const op_add_view *from, const T &value) : from_(from), value_(value) {}
    update operator+(const T &x) const { return update(from_, T(value_ + x)); }
    update operator-(const T &x) const { return update(from_, T(value_ - x)); }

   private:
    friend class op_add_view;
    const op_add_view *from_;
    T value_;
  };

  op_add_view() : scalar_view<T>(T()) {}
  explicit op_add_view(const T &value) : scalar_view<T>(value) {}

  op_add_view &operator+=(const T &x) {
    this->m_value += x;
    return *this;
  }
  op_add_view &operator-=(const T &x) {
    this->m_value -= x;
    return *this;
  }
  op_add_view &operator++() {
    ++this->m_value;
    return *this;
  }
  op_add_view &operator--() {
    --this->m_value;
    return *this;
  }
  T operator++(int) { return this->m_value++; }
  T operator--(int) { return this->m_value--; }
  op_add_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    this->m_value = right.value_;
    return *this;
  }
  friend update operator+(const op_add_view &view, const T &x) {
    return update(&view, T(view.m_value + x));
  }
  friend update operator-(const op_add_view &view, const T &x) {
    return update(&view, T(view.m_value - x));
  }
  void reduce(op_add_view *right) { this->m_value += right->m_value; }
};

template <class T, bool kAlign = false>
struct op_add : monoid_with_view<op_add_view<T>, kAlign> {};

template <class T>
class reducer_opadd
    : public detail::older_reducer<reducer_opadd<T>, op_add<T, true>, op_add<T, false>> {
  using base = detail::older_reducer<reducer_opadd<T>, op_add<T, true>, op_add<T, false>>;
  using update = typename op_add_view<T>::update;

 public:
  reducer_opadd() {}
  explicit reducer_opadd(const T &initial) : base(initial) {}
  reducer_opadd &operator+=(const T &x) {
    this->view() += x;
    return *this;
  }
  reducer_opadd &operator-=(const T &x) {
    this->view() -= x;
    return *this;
  }
  reducer_opadd &operator++() {
    ++this->view();
    return *this;
  }
  void operator++(int) { ++this->view(); }
  reducer_opadd &operator--() {
    --this->view();
    return *this;
  }
  void operator--(int) { --this->view(); }
  reducer_opadd &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
  friend update operator+(const reducer_opadd &reducer, const T &x) { return reducer.view() + x; }
  friend update operator-(const reducer_opadd &reducer, const T &x) { return reducer.view() - x; }
};
template <class T, bool kAlign>
struct legacy_reducer_downcast<reducer<op_add<T, kAlign>>> {
  using type = reducer_opadd<T>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
