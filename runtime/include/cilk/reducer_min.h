/* The lowest value, and where it is, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_min<T>> r; r->calc_min(x). cilk::op_min_index<Index, T>:
 * r->calc_min(i, x) or r->calc_min(pair). A Compare with state is the last argument of a
 * constructor. And the older cilk::reducer_min<T>, cilk::reducer_min_index<Index, T>.
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
class op_min_view : public detail::extremum_view<T, T, Compare, false> {
  using base = detail::extremum_view<T, T, Compare, false>;

 public:
  using base::base;
  using base::operator=;
  op_min_view &calc_min(const T &x) {
    base::offer(x);
    return *this;
  }
};
template <class T, class Compare = std::less<T>, bool kAlign = false>
struct op_min : detail::monoid_with_given<op_min_view<T, Compare>, kAlign> {
  using detail::monoid_with_given<op_min_view<T, Compare>, kAlign>::monoid_with_given;
};

/// The same with the place where it was found.
template <class Index, class T, class Compare = std::less<T>>
class op_min_index_view : public detail::extremum_view<std::pair<Index, T>, T, Compare, false> {
  using base = detail::extremum_view<std::pair<Index, T>, T, Compare, false>;

 public:
  using base::base;
  using base::operator=;
  const Index &get_index() const { return base::get_index_reference(); }
  op_min_index_view &calc_min(const Index &index, const T &x) {
    base::offer(index, x);
    return *this;
  }
  op_min_index_view &calc_min(const std::pair<Index, T> &x) {
    base::offer(x);
    return *this;
  }
};
template <class Index, class T, class Compare = std::less<T>, bool kAlign = false>
struct op_min_index : detail::monoid_with_given<op_min_index_view<Index, T, Compare>, kAlign> {
  using detail::monoid_with_given<op_min_index_view<Index, T, Compare>, kAlign>::monoid_with_given;
};

/// The right side of `*r = min_of(*r, x)`, with an index `*r = min_of(*r, index, x)` or
/// `min_of(*r, pair)`. `*r` may come last, and may be another min_of.
template <class View, class... Offered>
auto min_of(const View &view, const Offered &...offered)
    -> decltype(detail::updated<false>(view).with(offered...)) {
  return detail::updated<false>(view).with(offered...);
}
template <class T, class View>
auto min_of(const T &x, const View &view) -> decltype(detail::updated<false>(view).with(x)) {
  return detail::updated<false>(view).with(x);
}
template <class Index, class T, class View>
auto min_of(const Index &index, const T &x, const View &view)
    -> decltype(detail::updated<false>(view).with(index, x)) {
  return detail::updated<false>(view).with(index, x);
}

template <class T, class Compare = std::less<T>>
class reducer_min : public detail::older_extremum<reducer_min<T, Compare>, op_min<T, Compare, true>,
                                                  op_min<T, Compare, false>> {
  using base = detail::older_extremum<reducer_min<T, Compare>, op_min<T, Compare, true>,
                                      op_min<T, Compare, false>>;
  using update = typename op_min_view<T, Compare>::update;

 public:
  reducer_min() {}
  explicit reducer_min(const T &initial) : base(initial) {}
  explicit reducer_min(const std::decay_t<Compare> &compare) : base(compare) {}
  reducer_min(const T &initial, const std::decay_t<Compare> &compare) : base(initial, compare) {}
  reducer_min &calc_min(const T &x) {
    this->view().calc_min(x);
    return *this;
  }
  reducer_min &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
};
template <class T, class Compare, bool kAlign>
struct legacy_reducer_downcast<reducer<op_min<T, Compare, kAlign>>> {
  using type = reducer_min<T, Compare>;
};

template <class Index, class T, class Compare = std::less<T>>
class reducer_min_index : public detail::older_extremum<reducer_min_index<Index, T, Compare>,
                                                        op_min_index<Index, T, Compare, true>,
                                                        op_min_index<Index, T, Compare, false>> {
  using base = detail::older_extremum<reducer_min_index<Index, T, Compare>,
                                      op_min_index<Index, T, Compare, true>,
                                      op_min_index<Index, T, Compare, false>>;
  using update = typename op_min_index_view<Index, T, Compare>::update;

 public:
  reducer_min_index() {}
  explicit reducer_min_index(const std::decay_t<Compare> &compare) : base(compare) {}
  reducer_min_index(const Index &index, const T &initial) : base(index, initial) {}
  reducer_min_index(const Index &index, const T &initial, const std::decay_t<Compare> &compare)
      : base(index, initial, compare) {}
  reducer_min_index &calc_min(const Index &index, const T &x) {
    this->view().calc_min(index, x);
    return *this;
  }
  const T &get_value() const {
    nopal_race_value(this);
    return this->view().get_reference();
  }
  const Index &get_index() const { return this->view().get_index(); }
  const Index &get_index_reference() const { return this->view().get_index(); }
  void set_value(const Index &index, const T &value) {
    nopal_race_value(this);
    this->view().view_set_value(std::pair<Index, T>(index, value));
  }
  reducer_min_index &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
};
template <class Index, class T, class Compare, bool kAlign>
struct legacy_reducer_downcast<reducer<op_min_index<Index, T, Compare, kAlign>>> {
  using type = reducer_min_index<Index, T, Compare>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
