/* What <cilk/reducer_list.h>, <cilk/reducer_vector.h> and <cilk/reducer_string.h> share: views of
 * sequences that are put one after the other.
 *
 * C++17 and later. Include those; this one is theirs alone. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_SEQUENCE_H
#define CILK_REDUCER_SEQUENCE_H

#include "reducer.h"

#include <iterator>
#include <type_traits>
#include <utility>

namespace cilk::detail {

/// A view that is constructed as its sequence is. All views have the first one's allocator, so
/// that elements can be moved between them.
template <class Sequence>
class sequence_view : public scalar_view<Sequence> {
 public:
  using given_type = typename Sequence::allocator_type;

  template <class... Args, class = std::enable_if_t<std::is_constructible_v<Sequence, Args...>>>
  explicit sequence_view(Args &&...args)
      : scalar_view<Sequence>(Sequence(std::forward<Args>(args)...)) {}
  explicit sequence_view(move_in_wrapper<Sequence> from)
      : scalar_view<Sequence>(std::move(from.value())) {}

  given_type get_allocator() const { return this->m_value.get_allocator(); }
  given_type given() const { return get_allocator(); }
};

/// Moves [first, last) of `from` into the other list, at `at`.
template <class List>
void splice(List &into, typename List::const_iterator at, List &from,
            typename List::const_iterator first, typename List::const_iterator last) {
  if (into.get_allocator() != from.get_allocator()) {
    into.insert(at, first, last);
    from.erase(first, last);
  } else if (first == from.cbegin() && last == from.cend()) {
    into.splice(at, from);  // O(1)
  } else {
    into.splice(at, from, first, last);
  }
}

}  // namespace cilk::detail

#endif
