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

#include "reducer_extremum.h"

#ifdef __cplusplus

namespace cilk {

/// The lowest value so far, the first of equal ones; or none yet.
template <class T, class Compare = std::less<T>>
class op_min_view : public detail::extremum_view<T, Compare, detail::lowest> {
  using base = detail::extremum_view<T, Compare, detail::lowest>;

 public:
  using base::base;
  using base::operator=;
  op_min_view &calc_min(const T &x) {
    base::offer(x);
    return *this;
  }
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
class op_min_index_view : public detail::extremum_index_view<Index, T, Compare, detail::lowest> {
  using base = detail::extremum_index_view<Index, T, Compare, detail::lowest>;

 public:
  using base::base;
  using base::operator=;
  op_min_index_view &calc_min(const Index &index, const T &x) {
    base::offer(index, x);
    return *this;
  }
};
template <class Index, class T, class Compare = std::less<T>, bool kAlign = true>
struct op_min_index : monoid_with_view<op_min_index_view<Index, T, Compare>, kAlign> {};

/// The right side of `*r = min_of(*r, index, x)`.
template <class Index, class T, class Compare>
typename op_min_index_view<Index, T, Compare>::update min_of(
    const op_min_index_view<Index, T, Compare> &view,
    const typename op_min_index_view<Index, T, Compare>::value_type::first_type &index,
    const typename op_min_index_view<Index, T, Compare>::value_type::second_type &x) {
  return view.with(index, x);
}
template <class Index, class T, class Compare>
typename op_min_index_view<Index, T, Compare>::update min_of(
    const typename op_min_index_view<Index, T, Compare>::value_type::first_type &index,
    const typename op_min_index_view<Index, T, Compare>::value_type::second_type &x,
    const op_min_index_view<Index, T, Compare> &view) {
  return view.with(index, x);
}

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

#endif /* __cplusplus */

#endif
