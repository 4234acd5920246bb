/* Cilk Plus' reducers: cilk::reducer<Monoid>, where the monoid says the type of the view.
 *
 * C++17 and later. Included by <cilk/reducer.h>; the monoids are in <cilk/reducer_opadd.h> and so
 * on. A monoid derives from monoid_base<Value, View> and has `reduce(View *left, View *right)`; a
 * view that is not its value derives from scalar_view, or has the functions view_get_value,
 * view_set_value, view_move_in and view_move_out itself. A monoid may have a `construct` of its
 * own, for the reducer's arguments. Names and meanings are Cilk Plus'. Checked by
 * tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_MONOID_VIEWS_H
#define CILK_MONOID_VIEWS_H

#include "race.h"
#include "views.h"

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

template <class T, class Op = void>
class reducer;

/// A constructor's argument: take the value out of this variable.
template <class T>
class move_in_wrapper {
 public:
  using value_type = T;
  explicit move_in_wrapper(T &from) : from_(std::addressof(from)) {}
  T &value() const { return *from_; }
  operator T &() const { return *from_; }

 private:
  T *from_;
};
template <class T>
move_in_wrapper<T> move_in(T &from) {
  return move_in_wrapper<T>(from);
}

/// Ends an object unless it is confirmed: for a monoid's own `construct`, which may throw after it
/// has constructed one of two objects.
template <class T>
class provisional_guard {
 public:
  explicit provisional_guard(T *object) : object_(object) {}
  provisional_guard(const provisional_guard &) = delete;
  provisional_guard &operator=(const provisional_guard &) = delete;
  ~provisional_guard() {
    if (object_ != nullptr) object_->~T();
  }
  void confirm() { object_ = nullptr; }
  template <class Other>
  Other *confirm_if(Other *other) {
    if (other != nullptr) confirm();
    return other;
  }

 private:
  T *object_;
};

namespace detail {

template <class View, class... Args>
void make_view(View *view, Args &&...args) {
  ::new (static_cast<void *>(view)) View(std::forward<Args>(args)...);
}
template <class View>
void make_view(View *view, move_in_wrapper<View> from) {
  ::new (static_cast<void *>(view)) View(std::move(from.value()));
}

/// Whether these arguments are a view's, and do not begin with a monoid.
template <class Monoid, class View, class... Args>
inline constexpr bool are_of_view = std::is_constructible_v<View, Args...>;
template <class Monoid, class View, class Arg, class... Args>
inline constexpr bool are_of_view<Monoid, View, Arg, Args...> =
    !std::is_same_v<std::decay_t<Arg>, Monoid> && std::is_constructible_v<View, Arg, Args...>;

}  // namespace detail

/// What a monoid of Cilk Plus derives from. It hides what it does in its own way.
template <class Value, class View = Value>
class monoid_base {
 public:
  using value_type = Value;
  using view_type = View;
  enum { align_reducer = false };

  /// Constructs the identity.
  void identity(View *view) const { ::new (static_cast<void *>(view)) View(); }
  /// Ends a view that was reduced.
  void destroy(View *view) const { view->~View(); }
  /// For those who call them. The runtime has memory for views.
  void *allocate(std::size_t bytes) const { return ::operator new(bytes); }
  void deallocate(void *memory) const { ::operator delete(memory); }

  /// Constructs the monoid of a reducer and its first view from the reducer's arguments: the
  /// identity, or what the view's constructor makes of them. They may begin with a monoid.
  template <class Monoid>
  static void construct(Monoid *monoid, View *view) {
    provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid());
    monoid->identity(view);
    guard.confirm();
  }
  template <class Monoid>
  static void construct(Monoid *monoid, View *view, const Monoid &from) {
    provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid(from));
    monoid->identity(view);
    guard.confirm();
  }
  template <class Monoid, class... Args,
            class = std::enable_if_t<detail::are_of_view<Monoid, View, Args...>>>
  static void construct(Monoid *monoid, View *view, Args &&...args) {
    provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid());
    detail::make_view(view, std::forward<Args>(args)...);
    guard.confirm();
  }
  template <class Monoid, class Arg, class... Args,
            class = std::enable_if_t<std::is_constructible_v<View, Arg, Args...>>>
  static void construct(Monoid *monoid, View *view, const Monoid &from, Arg &&arg, Args &&...args) {
    provisional_guard<Monoid> guard(::new (static_cast<void *>(monoid)) Monoid(from));
    detail::make_view(view, std::forward<Arg>(arg), std::forward<Args>(args)...);
    guard.confirm();
  }
};

/// A monoid whose view knows how it is reduced: `void reduce(View *right)`. An aligned reducer is
/// another type, and no more than that: each view but the first has a cache line of its own.
template <class View, bool kAlign = false>
class monoid_with_view : public monoid_base<typename View::value_type, View> {
 public:
  enum { align_reducer = kAlign };

  void reduce(View *left, View *right) const { left->reduce(right); }
};

/// A view that holds a value.
template <class T>
class scalar_view {
 public:
  using value_type = T;

  scalar_view() : m_value() {}
  explicit scalar_view(const T &value) : m_value(value) {}
  explicit scalar_view(T &&value) : m_value(std::move(value)) {}

  void view_move_in(T &value) { m_value = std::move(value); }
  void view_move_out(T &value) { value = std::move(m_value); }
  void view_set_value(const T &value) { m_value = value; }
  const T &view_get_value() const { return m_value; }
  T &view_get_reference() { return m_value; }
  const T &view_get_reference() const { return m_value; }

 protected:
  T m_value;
};

/// `new` and `delete` for types of any alignment, which C++17's own are as well.
template <class T, class... Args>
T *aligned_new(Args &&...args) {
  return new T(std::forward<Args>(args)...);
}
template <class T>
void aligned_delete(const T *object) {
  delete object;
}

/// The older class that a reducer may be used as: `type`.
template <class Reducer>
struct legacy_reducer_downcast {
  struct type : Reducer {};
};

namespace detail {

/// Whether Monoid::construct takes these arguments.
template <class, class Monoid, class... Args>
struct can_construct : std::false_type {};
template <class Monoid, class... Args>
struct can_construct<std::void_t<decltype(Monoid::construct(
                         std::declval<Monoid *>(), std::declval<typename Monoid::view_type *>(),
                         std::declval<Args>()...))>,
                     Monoid, Args...> : std::true_type {};

/// Whether there is nothing to keep of a T.
template <class T>
inline constexpr bool is_stateless = std::is_empty_v<T> && std::is_default_constructible_v<T>;

template <class View, class Monoid>
struct stored_monoid_view {
  View view;
  Monoid monoid;
};

/// A T that takes no memory if it is stateless.
template <class T, bool kIsStateless = is_stateless<T>>
class kept {
 public:
  kept() : value_() {}
  explicit kept(const T &value) : value_(value) {}
  const T &get() const { return value_; }

 private:
  T value_;
};
template <class T>
class kept<T, true> {
 public:
  kept() = default;
  explicit kept(const T &) {}
  T get() const { return T(); }
};

/// A monoid that gives each view what the first one was constructed with: an allocator or a
/// comparator, View::given_type, the last argument of View's constructors.
template <class View, bool kAlign>
class monoid_with_given : public monoid_with_view<View, kAlign>,
                          private kept<typename View::given_type> {
  using given_type = typename View::given_type;

 public:
  monoid_with_given() = default;
  explicit monoid_with_given(const given_type &given) : kept<given_type>(given) {}

  void identity(View *view) const { ::new (static_cast<void *>(view)) View(this->get()); }

  template <class Monoid, class... Args,
            class = std::enable_if_t<are_of_view<Monoid, View, Args...>>>
  static void construct(Monoid *monoid, View *view, Args &&...args) {
    provisional_guard<View> guard(::new (static_cast<void *>(view))
                                      View(std::forward<Args>(args)...));
    ::new (static_cast<void *>(monoid)) Monoid(view->given());
    guard.confirm();
  }
  template <class Monoid, class... Args,
            class = std::enable_if_t<std::is_constructible_v<View, Args..., const given_type &>>>
  static void construct(Monoid *monoid, View *view, const Monoid &from, Args &&...args) {
    construct(monoid, view, std::forward<Args>(args)...,
              static_cast<const given_type &>(from.get()));
  }
};

}  // namespace detail

/// Cilk Plus' reducer. Rules and costs: those of reducer<T, Op>.
template <class Monoid>
class reducer<Monoid, void> {
  static_assert(std::is_class_v<Monoid>,
                "a reducer needs an operation: write cilk::reducer<T, std::plus<>>, or name a "
                "class that is a monoid");
  template <class... Args>
  static constexpr bool kTakes = detail::can_construct<void, Monoid, Args...>::value;

 public:
  using monoid_type = Monoid;
  using value_type = typename Monoid::value_type;
  using view_type = typename Monoid::view_type;

  /// Arguments of the monoid's `construct`: none, or a monoid, for the identity; else the first
  /// view's, which may follow a monoid.
  template <class... Args, class = std::enable_if_t<kTakes<Args...>>>
  reducer(Args &&...args) {
    Monoid::construct(std::addressof(monoid_), std::addressof(view_), std::forward<Args>(args)...);
    begin();
  }
  /// For a view that can only be assigned to.
  template <class T,
            class = std::enable_if_t<std::is_same_v<T, value_type> && !kTakes<move_in_wrapper<T>>>>
  reducer(move_in_wrapper<T> from) {
    Monoid::construct(std::addressof(monoid_), std::addressof(view_));
    move_into(view_, from.value());
    begin();
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;
  ~reducer() {
    if (nopal_this_strand()->stolen != nullptr || lifetime_ != nullptr)
      nopal_view_end(this, &lifetime_);
    view_.~view_type();
    monoid_.~Monoid();
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
    nopal_race_value(this);
    if constexpr (kIsValue)
      return static_cast<const value_type &>(view());
    else
      return view().view_get_value();
  }
  void set_value(const value_type &value) {
    nopal_race_value(this);
    if constexpr (kIsValue)
      view() = value;
    else
      view().view_set_value(value);
  }
  /// The value goes into the reducer, and leaves anything in the variable.
  void move_in(value_type &value) {
    nopal_race_value(this);
    move_into(view(), value);
  }
  /// The value goes into the variable, and leaves anything in the reducer.
  void move_out(value_type &value) {
    nopal_race_value(this);
    if constexpr (kIsValue)
      value = std::move(view());
    else
      view().view_move_out(value);
  }

  /// A reducer with an older class may be used as one of it, which has the same layout.
  operator typename legacy_reducer_downcast<reducer>::type &() {
    return reinterpret_cast<typename legacy_reducer_downcast<reducer>::type &>(*this);
  }
  operator const typename legacy_reducer_downcast<reducer>::type &() const {
    return reinterpret_cast<const typename legacy_reducer_downcast<reducer>::type &>(*this);
  }

 private:
  static constexpr bool kIsValue = std::is_same_v<value_type, view_type>;
  static constexpr bool kHasState = !detail::is_stateless<Monoid>;
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

  // The monoid constructs them.
  union {
    view_type view_;  // first: see `of`
  };
  union {
    Monoid monoid_;
  };
  void *lifetime_ = nullptr;  // the library's (nopal_view_type)
};

namespace detail {

/// What Cilk Plus' older classes share: `*r` and `r->` are the reducer itself. It is one of the
/// aligned monoid, and may be used as one of the plain monoid, which has the same layout.
template <class Self, class Aligned, class Plain>
class older_reducer : public reducer<Aligned> {
  using base = reducer<Aligned>;

 public:
  using View = typename base::view_type;
  using Monoid = Aligned;

  using base::base;
  Self &operator*() { return static_cast<Self &>(*this); }
  const Self &operator*() const { return static_cast<const Self &>(*this); }
  Self *operator->() { return static_cast<Self *>(this); }
  const Self *operator->() const { return static_cast<const Self *>(this); }
  decltype(auto) get_reference() { return this->view().view_get_reference(); }
  decltype(auto) get_reference() const { return this->view().view_get_reference(); }

  operator reducer<Plain> &() { return reinterpret_cast<reducer<Plain> &>(*this); }
  operator const reducer<Plain> &() const {
    return reinterpret_cast<const reducer<Plain> &>(*this);
  }
};

[[noreturn]] inline void refuse_update() {
  __builtin_trap();  // `*r = *other + x`: the right side is not the reducer's own view
}

}  // namespace detail

}  // namespace cilk

#endif
