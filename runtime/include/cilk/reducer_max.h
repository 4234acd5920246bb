/* The highest value, and where it is, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_max<T>> r; r->calc_max(x). cilk::op_max_index<Index, T>:
 * r->calc_max(i, x) or r->calc_max(pair). A Compare with state is the last argument of a
 * constructor. And the older cilk::reducer_max<T>, cilk::reducer_max_index<Index, T>.
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
class op_max_view : public detail::extremum_view<T, T, Compare, true> {
  using base = detail::extremum_view<T, T, Compare, true>;

 public:
  using base::base;
  using base::operator=;
  op_max_view &calc_max(const T &x) {
    base::offer(x);
    return *this;
  }
};
template <class T, class Compare = std::less<T>, bool kAlign = false>
struct op_max : detail::monoid_with_given<op_max_view<T, Compare>, kAlign> {
  using detail::monoid_with_given<op_max_view<T, Compare>, kAlign>::monoid_with_given;
};

/// The same with the place where it was found.
template <class Index, class T, class Compare = std::less<T>>
class op_max_index_view : public detail::extremum_view<std::pair<Index, T>, T, Compare, true> {
  using base = detail::extremum_view<std::pair<Index, T>, T, Compare, true>;

 public:
  using base::base;
  using base::operator=;
  const Index &get_index() const { return base::get_index_reference(); }
  op_max_index_view &calc_max(const Index &index, const T &x) {
    base::offer(index, x);
    return *this;
  }
  op_max_index_view &calc_max(const std::pair<Index, T> &x) {
    base::offer(x);
    return *this;
  }
};
template <class Index, class T, class Compare = std::less<T>, bool kAlign = false>
struct op_max_index : detail::monoid_with_given<op_max_index_view<Index, T, Compare>, kAlign> {
  using detail::monoid_with_given<op_max_index_view<Index, T, Compare>, kAlign>::monoid_with_given;
};

/// The right side of `*r = max_of(*r, x)`, with an index `*r = max_of(*r, index, x)` or
/// `max_of(*r, pair)`. `*r` may come last, and may be another max_of.
template <class View, class... Offered>
auto max_of(const View &view, const Offered &...offered)
    -> decltype(detail::updated<true>(view).with(offered...)) {
  return detail::updated<true>(view).with(offered...);
}
template <class T, class View>
auto max_of(const T &x, const View &view) -> decltype(detail::updated<true>(view).with(x)) {
  return detail::updated<true>(view).with(x);
}
template <class Index, class T, class View>
auto max_of(const Index &index, const T &x, const View &view)
    -> decltype(detail::updated<true>(view).with(index, x)) {
  return detail::updated<true>(view).with(index, x);
}

template <class T, class Compare = std::less<T>>
class reducer_max : public detail::older_extremum<reducer_max<T, Compare>, op_max<T, Compare, true>,
                                                  op_max<T, Compare, false>> {
  using base = detail::older_extremum<reducer_max<T, Compare>, op_max<T, Compare, true>,
                                      op_max<T, Compare, false>>;
  using update = typename op_max_view<T, Compare>::update;

 public:
  reducer_max() {}
  explicit reducer_max(const T &initial) : base(initial) {}
  explicit reducer_max(const std::decay_t<Compare> &compare) : base(compare) {}
  reducer_max(const T &initial, const std::decay_t<Compare> &compare) : base(initial, compare) {}
  reducer_max &calc_max(const T &x) {
    this->view().calc_max(x);
    return *this;
  }
  reducer_max &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
};
template <class T, class Compare, bool kAlign>
struct legacy_reducer_downcast<reducer<op_max<T, Compare, kAlign>>> {
  using type = reducer_max<T, Compare>;
};

template <class Index, class T, class Compare = std::less<T>>
class reducer_max_index : public detail::older_extremum<reducer_max_index<Index, T, Compare>,
                                                        op_max_index<Index, T, Compare, true>,
                                                        op_max_index<Index, T, Compare, false>> {
  using base = detail::older_extremum<reducer_max_index<Index, T, Compare>,
                                      op_max_index<Index, T, Compare, true>,
                                      op_max_index<Index, T, Compare, false>>;
  using update = typename op_max_index_view<Index, T, Compare>::update;

 public:
  reducer_max_index() {}
  explicit reducer_max_index(const std::decay_t<Compare> &compare) : base(compare) {}
  reducer_max_index(const Index &index, const T &initial) : base(index, initial) {}
  reducer_max_index(const Index &index, const T &initial, const std::decay_t<Compare> &compare)
      : base(index, initial, compare) {}
  reducer_max_index &calc_max(const Index &index, const T &x) {
    this->view().calc_max(index, x);
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
  reducer_max_index &operator=(const update &right) {
    this->view() = right;
    return *this;
  }
};
template <class Index, class T, class Compare, bool kAlign>
struct legacy_reducer_downcast<reducer<op_max_index<Index, T, Compare, kAlign>>> {
  using type = reducer_max_index<Index, T, Compare>;
};

}  // namespace cilk

#endif /* __cplusplus */

#endif
