/* Monoids: associative operations with an identity, for <cilk/reducer.h>.
 *
 * C++17; the concept needs C++20. Op is a monoid on T if it has
 *   an identity: a member `T identity() const` (it may be static), or a row of cilk::identity_of;
 *   and an operation: a member `void reduce(T &left, T &right) const` (it may be static), which
 *   folds `right` into `left` and may leave anything in `right`; or else a call operator that
 *   returns the result of two values.
 * (x op y) op z must equal x op (y op z), and identity op x and x op identity must equal x.
 * Checked by tests/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_MONOID_H
#define CILK_MONOID_H

#if __cplusplus < 201703L
#error "this header of Cilk needs C++17: compile with -std=c++17 or later"
#endif

#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

namespace cilk {

/// The identity of an operation that does not say it itself. Specialize it, with a static member
/// `value`, for your own function objects.
template <class Op, class T>
struct identity_of {};

#define NOPAL_IDENTITY(operation, identity)  \
  template <class T>                         \
  struct identity_of<std::operation<>, T> {  \
    static T value() { return T(identity); } \
  };                                         \
  template <class T>                         \
  struct identity_of<std::operation<T>, T> { \
    static T value() { return T(identity); } \
  };
NOPAL_IDENTITY(plus, )
NOPAL_IDENTITY(multiplies, 1)
NOPAL_IDENTITY(bit_and, ~T())
NOPAL_IDENTITY(bit_or, )
NOPAL_IDENTITY(bit_xor, )
NOPAL_IDENTITY(logical_and, true)
NOPAL_IDENTITY(logical_or, false)
#undef NOPAL_IDENTITY

namespace detail {

template <class Op, class T, class = void>
struct has_identity_member : std::false_type {};
template <class Op, class T>
struct has_identity_member<Op, T, std::void_t<decltype(T(std::declval<const Op &>().identity()))>>
    : std::true_type {};

template <class Op, class T, class = void>
struct has_identity_row : std::false_type {};
template <class Op, class T>
struct has_identity_row<Op, T, std::void_t<decltype(T(identity_of<Op, T>::value()))>>
    : std::true_type {};

template <class Op, class T, class = void>
struct has_reduce : std::false_type {};
template <class Op, class T>
struct has_reduce<Op, T,
                  std::void_t<decltype(std::declval<const Op &>().reduce(
                      std::declval<T &>(), std::declval<T &>()))>> : std::true_type {};

template <class Op, class T, class = void>
struct has_call : std::false_type {};
template <class Op, class T>
struct has_call<Op, T,
                std::void_t<decltype(std::declval<T &>() = std::declval<const Op &>()(
                                         std::declval<T &&>(), std::declval<T &&>()))>>
    : std::true_type {};

}  // namespace detail

template <class Op, class T>
inline constexpr bool is_monoid_v =
    (detail::has_identity_member<Op, T>::value || detail::has_identity_row<Op, T>::value) &&
    (detail::has_reduce<Op, T>::value || detail::has_call<Op, T>::value);
template <class T>
inline constexpr bool is_monoid_v<void, T> = false;

#if defined(__cpp_concepts)
template <class Op, class T>
concept monoid = is_monoid_v<Op, T>;
#endif

/// The identity of `op` on T.
template <class T, class Op>
T identity_value(const Op &op) {
  if constexpr (detail::has_identity_member<Op, T>::value) {
    return T(op.identity());
  } else {
    (void)op;
    return identity_of<Op, T>::value();
  }
}

/// left = left op right. Leaves anything in `right`.
template <class T, class Op>
void reduce_values(const Op &op, T &left, T &right) {
  if constexpr (detail::has_reduce<Op, T>::value) {
    op.reduce(left, right);
  } else {
    left = op(std::move(left), std::move(right));
  }
}

/// The lower of two, the left one if they are equal. Its identity is the highest value of T.
struct minimum {
  template <class T>
  void reduce(T &left, T &right) const {
    if (right < left) left = std::move(right);
  }
};
/// The higher of two, the left one if they are equal. Its identity is the lowest value of T.
struct maximum {
  template <class T>
  void reduce(T &left, T &right) const {
    if (left < right) left = std::move(right);
  }
};
/// None if T has no highest or lowest value.
template <class T>
struct identity_of<minimum, T> {
  template <class U = T, std::enable_if_t<std::numeric_limits<U>::is_specialized, int> = 0>
  static T value() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
};
template <class T>
struct identity_of<maximum, T> {
  template <class U = T, std::enable_if_t<std::numeric_limits<U>::is_specialized, int> = 0>
  static T value() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
};

namespace detail {

template <class T, class = void>
struct has_splice : std::false_type {};
template <class T>
struct has_splice<T, std::void_t<decltype(std::declval<T &>().splice(
                         std::declval<T &>().cend(), std::declval<T &>()))>> : std::true_type {};

template <class T, class = void>
struct is_map : std::false_type {};
template <class T>
struct is_map<T, std::void_t<typename T::mapped_type>> : std::true_type {};

/// Whether the allocators of two T may differ: the identity has none of the reducer's. Then memory
/// of one must not go to the other.
template <class T, class = void>
struct allocators {
  static constexpr bool kMayDiffer = false;
};
template <class T>
struct allocators<T, std::void_t<typename T::allocator_type>> {
  static constexpr bool kMayDiffer =
      !std::allocator_traits<typename T::allocator_type>::is_always_equal::value;
};
template <class T>
bool have_different_allocators(const T &left, const T &right) {
  return left.get_allocator() != right.get_allocator();
}

/// Whether all comparators, or hashes, of the type are alike.
template <class F>
inline constexpr bool are_alike_v = std::is_empty_v<F> && std::is_default_constructible_v<F>;
/// Whether a default one is null and cannot be called: pointers to functions, std::function.
template <class F>
inline constexpr bool is_null_at_first_v =
    std::is_convertible_v<std::nullptr_t, F> && std::is_constructible_v<bool, F>;

/// How a T orders or hashes its keys: whether two T may differ in it, whether a default T has a
/// null in it, and an empty T that has another one's, but a default allocator.
template <class T, class = void>
struct key_order {
  static constexpr bool kMayDiffer = false;
  static constexpr bool kIsNullAtFirst = false;
};
template <class T>
struct key_order<T, std::enable_if_t<std::is_constructible_v<T, typename T::key_compare>>> {
  static constexpr bool kMayDiffer = !are_alike_v<typename T::key_compare>;
  static constexpr bool kIsNullAtFirst = is_null_at_first_v<typename T::key_compare>;
  static T empty_like(const T &other) { return T(other.key_comp()); }
};
template <class T>
struct key_order<T, std::enable_if_t<std::is_constructible_v<T, std::size_t, typename T::hasher,
                                                             typename T::key_equal>>> {
  static constexpr bool kMayDiffer =
      !are_alike_v<typename T::hasher> || !are_alike_v<typename T::key_equal>;
  static constexpr bool kIsNullAtFirst =
      is_null_at_first_v<typename T::hasher> || is_null_at_first_v<typename T::key_equal>;
  static T empty_like(const T &other) { return T(0, other.hash_function(), other.key_eq()); }
};

/// Moves all elements of `from` into `into`, before `at`, one by one.
template <class T>
void insert_all(T &into, typename T::const_iterator at, T &from) {
  into.insert(at, std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Moves all elements of `from` into `into`, at the end. Cost: O(1) for a list.
template <class T>
void append_all(T &into, T &from) {
  if constexpr (allocators<T>::kMayDiffer)
    if (detail::have_different_allocators(into, from))
      return detail::insert_all(into, into.cend(), from);
  if constexpr (has_splice<T>::value) {
    into.splice(into.cend(), from);
  } else if (into.empty()) {
    std::swap(into, from);
  } else {
    detail::insert_all(into, into.cend(), from);
  }
}

/// Moves the elements of `from` whose keys `into` has not into it, one by one.
template <class T>
void unite_all(T &into, T &from) {
  while (!from.empty()) {
    auto element = from.extract(from.begin());
    if constexpr (is_map<T>::value)
      into.emplace(std::move(element.key()), std::move(element.mapped()));
    else
      into.insert(std::move(element.value()));
  }
}

}  // namespace detail

/// Sequences (std::vector, std::string, std::list, std::deque ...), one after the other: what the
/// serial program's push_back leaves.
struct append {
  template <class T>
  void reduce(T &left, T &right) const {
    detail::append_all(left, right);
  }
};
/// The same in reverse: what push_front leaves.
struct prepend {
  template <class T>
  void reduce(T &left, T &right) const {
    if constexpr (detail::allocators<T>::kMayDiffer)
      if (detail::have_different_allocators(left, right))
        return detail::insert_all(left, left.cbegin(), right);
    detail::append_all(right, left);
    std::swap(left, right);
  }
};
/// Sets and maps: all elements of both; of equal keys the left one, as insert leaves.
struct unite {
  template <class T>
  void reduce(T &left, T &right) const {
    if constexpr (detail::allocators<T>::kMayDiffer)
      if (detail::have_different_allocators(left, right)) return detail::unite_all(left, right);
    left.merge(right);
  }
};
/// Of two values the left one: for scratch space, of which nothing is to be kept.
struct keep_first {
  template <class T>
  void reduce(T &, T &) const {}
};
template <class T>
struct identity_of<append, T> {
  static T value() { return T(); }
};
template <class T>
struct identity_of<prepend, T> {
  static T value() { return T(); }
};
template <class T>
struct identity_of<unite, T> {
  static T value() {
    static_assert(!detail::key_order<T>::kIsNullAtFirst,
                  "the comparator, hash or equality of a default container of this type is null: "
                  "construct the reducer from a container that has one");
    return T();
  }
};
template <class T>
struct identity_of<keep_first, T> {
  static T value() { return T(); }
};

namespace detail {

/// unite, where the identity orders or hashes as the value that a reducer was constructed with. It
/// has a copy, since strands may change that value meanwhile. T need not be copyable.
template <class T>
class unite_like : public unite {
 public:
  explicit unite_like(const T &value) : empty_(key_order<T>::empty_like(value)) {}
  unite_like(const unite_like &other) : unite_like(other.empty_) {}
  unite_like &operator=(const unite_like &) = delete;

  T identity() const { return key_order<T>::empty_like(empty_); }

 private:
  T empty_;
};

/// What a reducer<T, Op> keeps: Op, and all that its identity needs.
template <class T, class Op>
using kept_operation =
    std::conditional_t<std::is_same_v<Op, unite> && key_order<T>::kMayDiffer, unite_like<T>, Op>;
template <class T, class Op>
kept_operation<T, Op> keep_operation(Op op, const T &value) {
  if constexpr (std::is_same_v<kept_operation<T, Op>, Op>) {
    (void)value;
    return op;
  } else {
    return kept_operation<T, Op>(value);
  }
}

}  // namespace detail

/// A monoid of a value and a function: monoid_of(0L, [](long x, long y) { return x + y; }).
template <class T, class Function>
class function_monoid {
 public:
  using value_type = T;

  function_monoid(T identity, Function function)
      : identity_(std::move(identity)), function_(std::move(function)) {}

  T identity() const { return identity_; }
  T operator()(T left, T right) const { return function_(std::move(left), std::move(right)); }

 private:
  T identity_;
  Function function_;
};
template <class T, class Function>
function_monoid<T, Function> monoid_of(T identity, Function function) {
  return {std::move(identity), std::move(function)};
}

}  // namespace cilk

#endif
