/* What <cilk/reducer_max.h> and <cilk/reducer_min.h> share: views that keep the best value so far.
 *
 * C++17 and later. Include those; this one is theirs alone. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_EXTREMUM_H
#define CILK_REDUCER_EXTREMUM_H

#include "reducer.h"

#ifdef __cplusplus

#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace cilk::detail {

/// A view, and what it was offered: the right side of `*r = max_of(max_of(*r, x), y)`.
template <class View>
class extremum_update {
 public:
  explicit extremum_update(const View &from) : from_(&from), result_(from) {}
  template <class... Offered,
            class = decltype(std::declval<View &>().offer(std::declval<const Offered &>()...))>
  extremum_update with(const Offered &...offered) const {
    extremum_update better(*this);
    better.result_.offer(offered...);
    return better;
  }
  const View *from() const { return from_; }
  const View &result() const { return result_; }

 private:
  const View *from_;
  View result_;
};

/// The best value so far, the first of equal ones; or none yet. Values are compared, or the T in
/// pairs of an index and a T. Compare says whether the first of two is lower.
template <class Value, class T, class Compare, bool kHighest>
class extremum_view : public scalar_view<Value>, private kept<std::decay_t<Compare>> {
  static constexpr bool kHasIndex = !std::is_same_v<Value, T>;
  template <class Index>
  static constexpr bool kMakes =
      kHasIndex && std::is_constructible_v<Value, const Index &, const T &>;

 public:
  using given_type = std::decay_t<Compare>;
  using update = extremum_update<extremum_view>;
  static constexpr bool kIsHighest = kHighest;

  extremum_view() { begin(); }
  explicit extremum_view(const given_type &compare) : kept<given_type>(compare) { begin(); }
  explicit extremum_view(const Value &value, const given_type &compare = given_type())
      : scalar_view<Value>(value), kept<given_type>(compare), is_set_(true) {}
  explicit extremum_view(move_in_wrapper<Value> from, const given_type &compare = given_type())
      : scalar_view<Value>(std::move(from.value())), kept<given_type>(compare), is_set_(true) {}
  /// With an index.
  template <class Index, class = std::enable_if_t<kMakes<Index>>>
  extremum_view(const Index &index, const T &value, const given_type &compare = given_type())
      : extremum_view(Value(index, value), compare) {}
  /// With an index alone, which is the value's as long as there is none.
  template <class Index,
            class = std::enable_if_t<kMakes<Index> &&
                                     !std::is_convertible_v<const Index &, std::decay_t<Compare>>>>
  explicit extremum_view(const Index &index, const given_type &compare = given_type())
      : extremum_view(compare) {
    set_default_index(index);
  }

  given_type given() const { return this->get(); }
  bool is_set() const { return is_set_; }
  const T &get_reference() const { return compared(this->m_value); }
  const auto &get_index_reference() const {
    if constexpr (kHasIndex)
      return this->m_value.first;
    else
      return this->m_value;
  }
  /// The index as long as there is no value.
  template <class Index>
  void set_default_index(const Index &index) {
    if constexpr (kHasIndex) {
      if (!is_set_) this->m_value.first = index;
    }
  }

  void view_set_value(const Value &value) {
    this->m_value = value;
    is_set_ = true;
  }
  void view_move_in(Value &value) {
    this->m_value = std::move(value);
    is_set_ = true;
  }
  extremum_view &operator=(const update &right) {
    if (right.from() != this) refuse_update();
    this->m_value = right.result().m_value;
    is_set_ = right.result().is_set_;
    return *this;
  }
  void reduce(extremum_view *right) {
    if (right->is_set_) offer(right->m_value);
  }

 protected:
  friend update;
  void offer(const Value &x) {
    if (is_better(compared(x))) view_set_value(x);
  }
  template <class Index, class = std::enable_if_t<kMakes<Index>>>
  void offer(const Index &index, const T &x) {
    if (is_better(x)) view_set_value(Value(index, x));
  }

 private:
  static const T &compared(const Value &value) {
    if constexpr (kHasIndex)
      return value.second;
    else
      return value;
  }
  bool is_better(const T &x) const {
    if (!is_set_) return true;
    auto &&compare = this->get();
    return kHighest ? compare(get_reference(), x) : compare(x, get_reference());
  }
  /// What get_value returns as long as there is none: the identity, if T has one.
  void begin() {
    if constexpr (std::numeric_limits<T>::is_specialized && std::is_same_v<Compare, std::less<T>>) {
      const T identity = identity_of<std::conditional_t<kHighest, maximum, minimum>, T>::value();
      if constexpr (kHasIndex)
        this->m_value.second = identity;
      else
        this->m_value = identity;
    }
  }

  bool is_set_ = false;
};

/// What max_of and min_of update: a view, what one of them has returned, or an older reducer.
template <bool kHighest, class Value, class T, class Compare>
extremum_update<extremum_view<Value, T, Compare, kHighest>> updated(
    const extremum_view<Value, T, Compare, kHighest> &view) {
  return extremum_update<extremum_view<Value, T, Compare, kHighest>>(view);
}
template <bool kHighest, class Value, class T, class Compare>
const extremum_update<extremum_view<Value, T, Compare, kHighest>> &updated(
    const extremum_update<extremum_view<Value, T, Compare, kHighest>> &update) {
  return update;
}
template <bool kHighest, class Self, class Aligned, class Plain,
          class View = typename Aligned::view_type,
          class = std::enable_if_t<View::kIsHighest == kHighest>>
typename View::update updated(const older_reducer<Self, Aligned, Plain> &reducer) {
  return typename View::update(reducer.view());
}

/// What the older classes with and without an index share.
template <class Self, class Aligned, class Plain>
class older_extremum : public older_reducer<Self, Aligned, Plain> {
  using base = older_reducer<Self, Aligned, Plain>;

 public:
  using base::base;
  bool is_set() const { return this->view().is_set(); }
  const auto &get_reference() const { return this->view().get_reference(); }
};

}  // namespace cilk::detail

#endif /* __cplusplus */

#endif
