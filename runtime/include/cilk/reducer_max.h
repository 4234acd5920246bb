/* The highest value, and where it is, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_max<T>> r; r->calc_max(x). cilk::op_max_index<Index, T>:
 * r->calc_max(i, x). And the older cilk::reducer_max<T>, cilk::reducer_max_index<Index, T>.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#include "reducer_extremum.h"

#ifdef __cplusplus

namespace cilk {

/// The highest value so far, the first of equal ones; or none yet.
template <class T, class Compare = std::less<T>>
class op_max_view : public detail::extremum_view<T, Compare, detail::highest> {
  using base = detail::extremum_view<T, Compare, detail::highest>;

 public:
  using base::base;
  using base::operator=;
  op_max_view &calc_max(const T &x) {
    base::offer(x);
    return *this;
  }
};
template <class T, class Compare = std::less<T>, bool kAlign = true>
struct op_max : monoid_with_view<op_max_view<T, Compare>, kAlign> {};

/// The right side of `*r = max_of(*r, x)`.
template <class T, class Compare>
typename op_max_view<T, Compare>::update max_of(
    const op_max_view<T, Compare> &view, const typename op_max_view<T, Compare>::value_type &x) {
  return view.with(x);
}
template <class T, class Compare>
typename op_max_view<T, Compare>::update max_of(
    const typename op_max_view<T, Compare>::value_type &x, const op_max_view<T, Compare> &view) {
  return view.with(x);
}

/// The same with the place where it was found.
template <class Index, class T, class Compare = std::less<T>>
class op_max_index_view : public detail::extremum_index_view<Index, T, Compare, detail::highest> {
  using base = detail::extremum_index_view<Index, T, Compare, detail::highest>;

 public:
  using base::base;
  using base::operator=;
  op_max_index_view &calc_max(const Index &index, const T &x) {
    base::offer(index, x);
    return *this;
  }
};
template <class Index, class T, class Compare = std::less<T>, bool kAlign = true>
struct op_max_index : monoid_with_view<op_max_index_view<Index, T, Compare>, kAlign> {};

/// The right side of `*r = max_of(*r, index, x)`.
template <class Index, class T, class Compare>
typename op_max_index_view<Index, T, Compare>::update max_of(
    const op_max_index_view<Index, T, Compare> &view,
    const typename op_max_index_view<Index, T, Compare>::value_type::first_type &index,
    const typename op_max_index_view<Index, T, Compare>::value_type::second_type &x) {
  return view.with(index, x);
}
template <class Index, class T, class Compare>
typename op_max_index_view<Index, T, Compare>::update max_of(
    const typename op_max_index_view<Index, T, Compare>::value_type::first_type &index,
    const typename op_max_index_view<Index, T, Compare>::value_type::second_type &x,
    const op_max_index_view<Index, T, Compare> &view) {
  return view.with(index, x);
}

template <class T, class Compare = std::less<T>>
class reducer_max : public reducer<op_max<T, Compare, false>> {
 public:
  reducer_max() {}
  explicit reducer_max(const T &initial) : reducer<op_max<T, Compare, false>>(initial) {}
  reducer_max &calc_max(const T &x) {
    this->view().calc_max(x);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
  const T &get_reference() const { return this->view().view_get_reference(); }
  reducer_max &operator*() { return *this; }
  reducer_max *operator->() { return this; }
};
template <class Index, class T, class Compare = std::less<T>>
class reducer_max_index : public reducer<op_max_index<Index, T, Compare, false>> {
  using base = reducer<op_max_index<Index, T, Compare, false>>;

 public:
  reducer_max_index() {}
  reducer_max_index(const Index &index, const T &initial) : base(index, initial) {}
  reducer_max_index &calc_max(const Index &index, const T &x) {
    this->view().calc_max(index, x);
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
  reducer_max_index &operator*() { return *this; }
  reducer_max_index *operator->() { return this; }
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
