/* Cilk Plus' reducers: cilk::reducer<Monoid>, where the monoid says the type of the view.
 *
 * C++17 and later. Included by <cilk/reducer.h>; the monoids are in <cilk/reducer_opadd.h> and so
 * on. A monoid derives from monoid_base<Value, View> and has `reduce(View *left, View *right)`; a
 * view that is not its value derives from scalar_view, or has the functions view_get_value,
 * view_set_value, view_move_in and view_move_out itself. Names and meanings are Cilk Plus'.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_MONOID_VIEWS_H
#define CILK_MONOID_VIEWS_H

#include "views.h"

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

template <class T, class Op>
class reducer;

/// What a monoid of Cilk Plus derives from. It hides what it does in its own way.
template <class Value, class View = Value>
class monoid_base {
 public:
  using value_type = Value;
  using view_type = View;

  /// Constructs the identity.
  void identity(View *view) const { ::new (static_cast<void *>(view)) View(); }
  /// Ends a view that was reduced.
  void destroy(View *view) const { view->~View(); }
};

/// A monoid whose view knows how it is reduced: `void reduce(View *right)`.
template <class View, bool kAlign = false>
class monoid_with_view : public monoid_base<typename View::value_type, View> {
 public:
  void reduce(View *left, View *right) const { left->reduce(right); }
};

/// A view that holds a value.
template <class T>
class scalar_view {
 public:
  using value_type = T;

  scalar_view() : m_value() {}
  explicit scalar_view(const T &value) : m_value(value) {}

  void view_move_in(T &value) { m_value = std::move(value); }
  void view_move_out(T &value) { value = std::move(m_value); }
  void view_set_value(const T &value) { m_value = value; }
  const T &view_get_value() const { return m_value; }
  const T &view_get_reference() const { return m_value; }

 protected:
  T m_value;
};

/// A constructor's argument: take the value out of this variable.
template <class T>
class move_in_wrapper {
 public:
  using value_type = T;
  explicit move_in_wrapper(T &from) : from_(&from) {}
  T &value() const { return *from_; }

 private:
  T *from_;
};
template <class T>
move_in_wrapper<T> move_in(T &from) {
  return move_in_wrapper<T>(from);
}

namespace detail {

template <class View, class Monoid>
struct stored_monoid_view {
  View view;
  Monoid monoid;
};

}  // namespace detail

/// Cilk Plus' reducer. Rules and costs: those of reducer<T, Op>.
template <class Monoid>
class reducer<Monoid, void> {
 public:
  using monoid_type = Monoid;
  using value_type = typename Monoid::value_type;
  using view_type = typename Monoid::view_type;

  /// The first view is constructed from the arguments.
  template <class... Args, class = std::enable_if_t<std::is_constructible_v<view_type, Args...>>>
  explicit reducer(Args &&...args) : view_(std::forward<Args>(args)...) {
    begin();
  }
  explicit reducer(move_in_wrapper<value_type> from) : view_() {
    move_into(view_, from.value());
    begin();
  }
  explicit reducer(const Monoid &monoid) : view_(), monoid_(monoid) { begin(); }
  /// The first view is constructed from what follows the monoid.
  template <
      class Arg, class... Args,
      class = std::enable_if_t<std::is_constructible_v<view_type, Arg, Args...> &&
                               !std::is_constructible_v<view_type, const Monoid &, Arg, Args...>>>
  reducer(const Monoid &monoid, Arg &&arg, Args &&...args)
      : view_(std::forward<Arg>(arg), std::forward<Args>(args)...), monoid_(monoid) {
    begin();
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;
  ~reducer() {
    if (nopal_this_strand()->stolen != nullptr || lifetime_ != nullptr)
      nopal_view_end(this, &lifetime_);
  }

  Monoid &monoid() noexcept { return monoid_; }
  const Monoid &monoid() const noexcept { return monoid_; }

  /// The calling strand's view, until its next spawn or sync.
  view_type &view() noexcept {
    return *static_cast<view_type *>(nopal_view(nopal_this_strand(), this, &kType));
  }
  const view_type &view() const noexcept { return const_cast<reducer *>(this)->view(); }
  view_type &operator*() noexcept { return view(); }
  const view_type &operator*() const noexcept { return view(); }
  view_type *operator->() noexcept { return std::addressof(view()); }
  const view_type *operator->() const noexcept { return std::addressof(view()); }
  view_type &operator()() noexcept { return view(); }
  const view_type &operator()() const noexcept { return view(); }

  decltype(auto) get_value() const {
    if constexpr (kIsValue)
      return static_cast<const value_type &>(view());
    else
      return view().view_get_value();
  }
  void set_value(const value_type &value) {
    if constexpr (kIsValue)
      view() = value;
    else
      view().view_set_value(value);
  }
  /// The value goes into the reducer, and leaves anything in the variable.
  void move_in(value_type &value) { move_into(view(), value); }
  /// The value goes into the variable, and leaves anything in the reducer.
  void move_out(value_type &value) {
    if constexpr (kIsValue)
      value = std::move(view());
    else
      view().view_move_out(value);
  }

 private:
  static constexpr bool kIsValue = std::is_same_v<value_type, view_type>;
  static constexpr bool kHasState = !std::is_empty_v<Monoid>;
  using stored = detail::stored_monoid_view<view_type, Monoid>;

  static void move_into(view_type &view, value_type &value) {
    if constexpr (kIsValue)
      view = std::move(value);
    else
      view.view_move_in(value);
  }
  void begin() noexcept {
    if (nopal_this_strand()->stolen != nullptr) nopal_view_begin(this);
  }

  // A pointer to the reducer, or to a stored view, is one to its view.
  static reducer &of(const void *hyperobject) noexcept {
    return *static_cast<reducer *>(const_cast<void *>(hyperobject));
  }
  static void **lifetime_of(void *hyperobject) { return &of(hyperobject).lifetime_; }
  static void make_identity(const void *hyperobject, void *memory) {
    of(hyperobject).monoid_.identity(static_cast<view_type *>(memory));
    if constexpr (kHasState)
      ::new (&static_cast<stored *>(memory)->monoid) Monoid(of(hyperobject).monoid_);
  }
  static void reduce_views(void *left, void *right) {
    auto *from = static_cast<view_type *>(right);
    if constexpr (kHasState) {
      Monoid &monoid = static_cast<stored *>(right)->monoid;
      monoid.reduce(static_cast<view_type *>(left), from);
    } else {
      Monoid().reduce(static_cast<view_type *>(left), from);
    }
    end_view(right);
  }
  static void end_view(void *memory) {
    auto *view = static_cast<view_type *>(memory);
    if constexpr (kHasState) {
      Monoid &monoid = static_cast<stored *>(memory)->monoid;
      monoid.destroy(view);
      monoid.~Monoid();
    } else {
      Monoid().destroy(view);
    }
  }

  static constexpr nopal_view_type kType{sizeof(stored), alignof(stored), lifetime_of,
                                         make_identity,  reduce_views,    end_view};

  view_type view_;  // first: see `of`
  Monoid monoid_;
  void *lifetime_ = nullptr;  // the library's (nopal_view_type)
};

namespace detail {

[[noreturn]] inline void refuse_update() {
  __builtin_trap();  // `*r = *other + x`: the right side is not the reducer's own view
}

}  // namespace detail

}  // namespace cilk

#endif
