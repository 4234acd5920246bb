/* Reducers: variables that parallel code may change, and whose result is that of the serial
 * program.
 *
 * C++17 and later. Cilk Plus' macros for C (<cilk/reducer_c.h>) are there in both languages. Guide
 * with examples: docs/user-guide-reducers.md.
 *
 *     cilk::reducer<long, std::plus<>> sum;
 *     cilk_for (long i = 0; i < n; ++i) *sum += f(i);
 *     std::printf("%ld\n", *sum);
 *
 * The operation must be associative; it need not be commutative. A *view* is what the calling
 * strand works on; `*r` and `r->` are its value. Its address may change at each spawn and sync, so
 * do not keep a reference to it across one. With CILK_SERIAL defined a reducer is its value.
 * Operations: <cilk/monoid.h>, which is included here. Cilk Plus'
 * cilk::reducer<Monoid> is in <cilk/monoid_views.h>, included too. Checked by tests/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_H
#define CILK_REDUCER_H

#include "reducer_c.h"

#ifdef __cplusplus

#include "monoid.h"
#include "monoid_views.h"
#include "race.h"
#include "views.h"

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

namespace detail {

/// Any two objects of the class are alike, and one can be made at compile time.
template <class Op>
inline constexpr bool has_no_state_v =
    std::is_empty_v<Op> && std::is_trivially_default_constructible_v<Op>;

/// A view's memory: the value, and a copy of an operation that may have state.
template <class T, class Op, bool kHasNoState = has_no_state_v<Op> >
struct stored_view {
  T value;
  Op op;
};
template <class T, class Op>
struct stored_view<T, Op, true> {
  T value;
  static constexpr Op op{};
};

}  // namespace detail

/// A T that strands change in parallel, each its own view, reduced by Op in serial order.
///
/// Op: a monoid on T (<cilk/monoid.h>), such as std::plus<>, cilk::maximum, cilk::append, or a
/// class of yours. Who may use it: any strand, while the reducer lives. Sync before it is
/// destroyed, else what other strands have added is lost. Two threads of the program are not two
/// strands: between them it is an ordinary variable. Op and T must neither throw (std::terminate)
/// nor spawn where a view is made or reduced. Cost of a use: at most some nanoseconds, and the
/// compiler moves it out of loops; of a view: an allocation, at the first use after a steal.
template <class T, class Op>  // Op: void by default
class reducer {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a reducer's value is a plain object");
  static_assert(
      is_monoid_v<Op, T>,
      "Op is not a monoid on T: it needs identity() or a row of cilk::identity_of, and "
      "reduce(T &left, T &right) or a call operator; cilk::minimum and cilk::maximum need a "
      "std::numeric_limits<T>");

 public:
  using value_type = T;
  using operation_type = Op;

  /// The value is the operation's identity.
  reducer() : reducer(Op{}) {}
  explicit reducer(Op op)
      : value_(cilk::identity_value<T>(op)), op_(detail::keep_operation(std::move(op), value_)) {
    begin();
  }
  /// What is reduced comes after `initial`.
  explicit reducer(T initial, Op op = Op{})
      : value_(std::move(initial)), op_(detail::keep_operation(std::move(op), value_)) {
    begin();
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;
  ~reducer() {
    if (nopal_this_strand()->stolen != nullptr || lifetime_ != nullptr)
      nopal_view_end(this, &lifetime_);
  }

  /// The calling strand's view, until its next spawn or sync.
  T &view() noexcept { return *static_cast<T *>(nopal_view(nopal_this_strand(), this, &kType)); }
  const T &view() const noexcept { return const_cast<reducer *>(this)->view(); }
  T &operator*() noexcept { return view(); }
  const T &operator*() const noexcept { return view(); }
  T *operator->() noexcept { return std::addressof(view()); }
  const T *operator->() const noexcept { return std::addressof(view()); }

  /// The value so far, as the calling strand sees it. It is the serial program's if all that was
  /// spawned before is synced.
  const T &get_value() const noexcept { return whole_view(); }
  void set_value(T value) { whole_view() = std::move(value); }
  /// Takes the value so far out, and leaves the identity.
  T take() { return std::exchange(whole_view(), cilk::identity_value<T>(op_)); }

 private:
  using operation = detail::kept_operation<T, Op>;
  using stored = detail::stored_view<T, operation>;

  void begin() noexcept {
    if (nopal_this_strand()->stolen != nullptr) nopal_view_begin(this);
  }
  /// Where the value counts; of scratch space it does not.
  T &whole_view() const noexcept {
    if constexpr (!std::is_same_v<Op, keep_first>) nopal_race_value(this);
    return const_cast<reducer *>(this)->view();
  }

  // A pointer to the reducer, or to a stored view, is one to its value.
  static reducer &of(const void *hyperobject) noexcept {
    return *static_cast<reducer *>(const_cast<void *>(hyperobject));
  }
  static void **lifetime_of(void *hyperobject) { return &of(hyperobject).lifetime_; }
  static void make_identity(const void *hyperobject, void *view) {
    const operation &op = of(hyperobject).op_;
    if constexpr (detail::has_no_state_v<operation>)
      ::new (view) stored{cilk::identity_value<T>(op)};
    else
      ::new (view) stored{cilk::identity_value<T>(op), op};
  }
  static void reduce_views(void *left, void *right) {
    stored &from = *static_cast<stored *>(right);
    cilk::reduce_values(from.op, *static_cast<T *>(left), from.value);
    from.~stored();
  }
  static void end_view(void *view) { static_cast<stored *>(view)->~stored(); }

  static constexpr nopal_view_type kType{sizeof(stored), alignof(stored), lifetime_of,
                                         make_identity,  reduce_views,    end_view};

  T value_;  // first: see `of`
  operation op_;
  void *lifetime_ = nullptr;  // the library's (nopal_view_type)
};

template <class T, class Op>
reducer(T, Op) -> reducer<T, Op>;
template <class T, class Function>
reducer(function_monoid<T, Function>) -> reducer<T, function_monoid<T, Function> >;

/// Scratch space: each strand has a T of its own between two steals, value-initialized at its first
/// use, and may find in it what it left there itself. After a sync it is the serially first one.
template <class T>
using scratch = reducer<T, keep_first>;

}  // namespace cilk

#endif /* __cplusplus */

#endif
