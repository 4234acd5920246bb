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

/// Which of two values is better, by Compare, which says whether the first is lower; and the
/// operation whose identity a view begins with.
template <class T, class Compare>
struct highest {
  using operation = maximum;
  static bool is_better(const T &x, const T &than) { return Compare()(than, x); }
};
template <class T, class Compare>
struct lowest {
  using operation = minimum;
  static bool is_better(const T &x, const T &than) { return Compare()(x, than); }
};

/// The best value so far, the first of equal ones; or none yet.
template <class T, class Compare, template <class, class> class Order>
class extremum_view : public scalar_view<T> {
  using order = Order<T, Compare>;

 public:
  /// The right side of `*r = max_of(*r, x)` or `*r = min_of(*r, x)`.
  class update {
   public:
    update(const extremum_view *from, const T &value) : from_(from), value_(value) {}
    update with(const T &x) const {
      return update(from_, order::is_better(x, value_) ? x : value_);
    }

   private:
    friend class extremum_view;
    const extremum_view *from_;
    T value_;
  };

  extremum_view() : scalar_view<T>(initial()) {}
  explicit extremum_view(const T &value) : scalar_view<T>(value), is_set_(true) {}

  bool is_set() const { return is_set_; }
  void view_set_value(const T &value) {
    this->m_value = value;
    is_set_ = true;
  }
  void view_move_in(T &value) {
    this->m_value = std::move(value);
    is_set_ = true;
  }
  extremum_view &operator=(const update &right) {
    if (right.from_ != this) refuse_update();
    view_set_value(right.value_);
    return *this;
  }
  update with(const T &x) const {
    return update(this, !is_set_ || order::is_better(x, this->m_value) ? x : this->m_value);
  }
  void reduce(extremum_view *right) {
    if (right->is_set_) offer(right->m_value);
  }

 protected:
  void offer(const T &x) {
    if (!is_set_ || order::is_better(x, this->m_value)) this->m_value = x;
    is_set_ = true;
  }

 private:
  /// What get_value returns as long as there is none: the identity, if T has one.
  static T initial() {
    if constexpr (std::numeric_limits<T>::is_specialized && std::is_same_v<Compare, std::less<T>>)
      return identity_of<typename order::operation, T>::value();
    else
      return T();
  }

  bool is_set_ = false;
};

/// The same with the place where it was found.
template <class Index, class T, class Compare, template <class, class> class Order>
class extremum_index_view {
 public:
  using value_type = std::pair<Index, T>;

  /// The right side of `*r = max_of(*r, index, x)` or `*r = min_of(*r, index, x)`.
  class update {
   public:
    update(const extremum_index_view *from, bool is_set, const value_type &value)
        : from_(from), is_set_(is_set), value_(value) {}
    update with(const Index &index, const T &x) const {
      if (is_set_ && !Order<T, Compare>::is_better(x, value_.second)) return *this;
      return update(from_, true, value_type(index, x));
    }

   private:
    friend class extremum_index_view;
    const extremum_index_view *from_;
    bool is_set_;
    value_type value_;
  };
  update with(const Index &index, const T &x) const {
    return update(this, is_set_, value_).with(index, x);
  }
  extremum_index_view &operator=(const update &right) {
    if (right.from_ != this) refuse_update();
    view_set_value(right.value_);
    return *this;
  }

  extremum_index_view() : value_() {}
  extremum_index_view(const Index &index, const T &value) : value_(index, value), is_set_(true) {}

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
  void reduce(extremum_index_view *right) {
    if (right->is_set_) offer(right->value_.first, right->value_.second);
  }

 protected:
  void offer(const Index &index, const T &x) {
    if (!is_set_ || Order<T, Compare>::is_better(x, value_.second)) value_ = value_type(index, x);
    is_set_ = true;
  }

 private:
  value_type value_;
  bool is_set_ = false;
};

}  // namespace cilk::detail

#endif /* __cplusplus */

#endif
