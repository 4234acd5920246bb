/* cilk::holder<T, Policy>, as Cilk Plus has it.
 *
 *     cilk::holder<std::vector<int>> buffer;              // each view begins as T()
 *     cilk::holder<int, cilk::holder_keep_last> last(7);  // as a copy of 7
 *     cilk::holder<Table> table([] { return Table(9); }); // as what the function returns
 *     buffer->push_back(1);                               // also buffer() and *buffer
 *
 * C++17. <cilk/holder.h> includes it under -fcilkplus (__NOPAL_CILK_PLUS__), else holder is
 * OpenCilk's. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_HOLDER_MONOID_H
#define CILK_HOLDER_MONOID_H

#include "reducer.h"

#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

/// What is left when two views become one: any of the two values, or the serially later one, which
/// is copied, swapped or moved into place. holder_keep_last takes what is likely to be cheapest.
enum holder_policy {
  holder_keep_indeterminate,
  holder_keep_last,
  holder_keep_last_copy,
  holder_keep_last_swap,
  holder_keep_last_move
};

namespace detail {

template <class T, class = void>
struct has_member_swap : std::false_type {};
template <class T>
struct has_member_swap<T, std::void_t<decltype(std::declval<T &>().swap(std::declval<T &>()))>>
    : std::true_type {};

}  // namespace detail

/// Makes the values of a holder's views: T(), copies of one value, or what a function returns.
template <class T, holder_policy Policy = holder_keep_indeterminate,
          class Allocator = std::allocator<T>>
class holder_monoid : public monoid_base<T> {
 public:
  holder_monoid() = default;
  explicit holder_monoid(const T &value)
      : make_(std::make_shared<const maker>([value] { return value; })) {}
  template <class Function, class = std::enable_if_t<std::is_invocable_r_v<T, const Function &>>>
  explicit holder_monoid(const Function &make) : make_(std::make_shared<const maker>(make)) {}

  /// Constructs the value of a new view.
  void identity(T *value) const {
    if (make_ == nullptr)
      ::new (static_cast<void *>(value)) T();
    else
      ::new (static_cast<void *>(value)) T((*make_)());
  }
  void reduce(T *left, T *right) const {
    if constexpr (Policy == holder_keep_last_copy) {
      *left = *right;
    } else if constexpr (Policy == holder_keep_last_move) {
      *left = std::move(*right);
    } else if constexpr (Policy == holder_keep_last_swap) {
      using std::swap;
      swap(*left, *right);
    } else if constexpr (Policy == holder_keep_last) {
      if constexpr (detail::has_member_swap<T>::value)
        left->swap(*right);
      else
        *left = std::move(*right);
    }
  }

 private:
  using maker = std::function<T()>;
  std::shared_ptr<const maker> make_;  // null: T()
};

/// A T for each strand. Use it as any reducer of Cilk Plus: `h()`, `*h`, `h->`, `h.view()`. The
/// allocator is accepted and not used: the runtime has memory for views.
template <class T, holder_policy Policy = holder_keep_indeterminate,
          class Allocator = std::allocator<T>>
class holder : public reducer<holder_monoid<T, Policy, Allocator>> {
  using monoid = holder_monoid<T, Policy, Allocator>;
  using base = reducer<monoid>;

 public:
  explicit holder(const Allocator & = Allocator()) : base(monoid(), T()) {}
  explicit holder(const T &value, const Allocator & = Allocator()) : base(monoid(value), value) {}
  template <class Function, class = std::enable_if_t<std::is_invocable_r_v<T, const Function &>>>
  explicit holder(const Function &make, const Allocator & = Allocator())
      : base(monoid(make), make()) {}
};

}  // namespace cilk

#endif
