/* The lowest value, and where it is, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_min<T>> r; r->calc_min(x). cilk::op_min_index<Index, T>:
 * r->calc_min(i, x). And the older cilk::reducer_min<T>, cilk::reducer_min_index<Index, T>.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_MIN_H
#define CILK_REDUCER_MIN_H

#include "reducer.h"

#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace cilk {

/// The lowest value so far, the first of equal ones; or none yet.
template <class T, class Compare = std::less<T>>
class op_min_view : public scalar_view<T> {
 public:
  /// The right side of `*r = min_of(*r, x)`.
  class update {
   public:
    update(const op_min_view *from, const T &value) : from_(from), value_(value) {}
    update with(const T &x) const { return update(from_, is_better(x, value_) ? x : value_); }

   private:
    friend class op_min_view;
    const op_min_view *from_;
    T value_;
  };

  op_min_view() : scalar_view<T>(initial()) {}
  explicit op_min_view(const T &value) : scalar_view<T>(value), is_set_(true) {}

  op_min_view &calc_min(const T &x) {
    if (!is_set_ || is_better(x, this->m_value)) this->m_value = x;
    is_set_ = true;
    return *this;
  }
  bool is_set() const { return is_set_; }
  void view_set_value(const T &value) {
    this->m_value = value;
    is_set_ = true;
  }
  void view_move_in(T &value) {
    this->m_value = std::move(value);
    is_set_ = true;
  }
  op_min_view &operator=(const update &right) {
    if (right.from_ != this) detail::refuse_update();
    view_set_value(right.value_);
    return *this;
  }
  update with(const T &x) const {
    return update(this, !is_set_ || is_better(x, this->m_value) ? x : this->m_value);
  }
  void reduce(op_min_view *right) {
    if (right->is_set_) calc_min(right->m_value);
  }

 private:
  static bool is_better(const T &x, const T &than) { return Compare()(x, than); }
  /// What get_value returns as long as there is none: the identity, if T has one.
  static T initial() {
    if constexpr (std::numeric_limits<T>::is_specialized && std::is_same_v<Compare, std::less<T>>)
      return identity_of<minimum, T>::value();
    else
      return T();
  }

  bool is_set_ = false;
};
template <class T, class Compare = std::less<T>, bool kAlign = true>
struct op_min : monoid_with_view<op_min_view<T, Compare>, kAlign> {};

/// The right side of `*r = min_of(*r, x)`.
template <class T, class Compare>
typename op_min_view<T, Compare>::update min_of(
    const op_min_view<T, Compare> &view, const typename op_min_view<T, Compare>::value_type &x) {
  return view.with(x);
}
template <class T, class Compare>
typename op_min_view<T, Compare>::update min_of(
    const typename op_min_view<T, Compare>::value_type &x, const op_min_view<T, Compare> &view) {
  return view.with(x);
}

/// The same with the place where it was found.
template <class Index, class T, class Compare = std::less<T>>
class op_min_index_view {
 public:
  using value_type = std::pair<Index, T>;

  op_min_index_view() : value_() {}
  op_min_index_view(const Index &index, const T &value) : value_(index, value), is_set_(true) {}

  op_min_index_view &calc_min(const Index &index, const T &x) {
    if (!is_set_ || is_better(x, value_.second)) value_ = value_type(index, x);
    is_set_ = true;
    return *this;
  }
  bool is_set() const { return is_set_; }
  const Index &get_index() const { return value_.first; }
  const Index &get_index_reference() const { return value_.first; }
  const T &get_reference() const { return value_.second; }
  void view_set_value(const value_type &value) {
    value_ = value;
    is_set_ = true;
  }
  const value_type &view_get_value() const { return value_; }
  void view_move_in(value_type &value) {
    value_ = std::move(value);
    is_set_ = true;
  }
  void view_move_out(value_type &value) { value = std::move(value_); }
  void reduce(op_min_index_view *right) {
    if (right->is_set_) calc_min(right->value_.first, right->value_.second);
  }

 private:
  static bool is_better(const T &x, const T &than) { return Compare()(x, than); }

  value_type value_;
  bool is_set_ = false;
};
template <class Index, class T, class Compare = std::less<T>, bool kAlign = true>
struct op_min_index : monoid_with_view<op_min_index_view<Index, T, Compare>, kAlign> {};

template <class T, class Compare = std::less<T>>
class reducer_min : public reducer<op_min<T, Compare, false>> {
 public:
  reducer_min() {}
  explicit reducer_min(const T &initial) : reducer<op_min<T, Compare, false>>(initial) {}
  reducer_min &calc_min(const T &x) {
    this->view().calc_min(x);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
  const T &get_reference() const { return this->view().view_get_reference(); }
  reducer_min &operator*() { return *this; }
  reducer_min *operator->() { return this; }
};
template <class Index, class T, class Compare = std::less<T>>
class reducer_min_index : public reducer<op_min_index<Index, T, Compare, false>> {
  using base = reducer<op_min_index<Index, T, Compare, false>>;

 public:
  reducer_min_index() {}
  reducer_min_index(const Index &index, const T &initial) : base(index, initial) {}
  reducer_min_index &calc_min(const Index &index, const T &x) {
    this->view().calc_min(index, x);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
  const T &get_value() const { return this->view().get_reference(); }
  const T &get_reference() const { return this->view().get_reference(); }
  const Index &get_index() const { return this->view().get_index(); }
  const Index &get_index_reference() const { return this->view().get_index(); }
  void set_value(const Index &index, const T &value) {
    this->view().view_set_value(std::pair<Index, T>(index, value));
  }
  reducer_min_index &operator*() { return *this; }
  reducer_min_index *operator->() { return this; }
};

}  // namespace cilk

#endif
