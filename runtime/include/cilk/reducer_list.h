/* Lists, in the order of the serial program, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_list_append<T>> r; r->push_back(x), and op_list_prepend
 * with push_front. And the older cilk::reducer_list_append<T>, cilk::reducer_list_prepend<T>.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_LIST_H
#define CILK_REDUCER_LIST_H

#include "reducer_sequence.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

namespace cilk {

template <class T, class Allocator = std::allocator<T>>
class op_list_append_view : public detail::sequence_view<std::list<T, Allocator>> {
  using base = detail::sequence_view<std::list<T, Allocator>>;

 public:
  using list_type = std::list<T, Allocator>;
  using iterator = typename list_type::iterator;

  using base::base;

  void push_back(const T &element) { this->m_value.push_back(element); }
  template <class... Args>
  void emplace_back(Args &&...args) {
    this->m_value.emplace_back(std::forward<Args>(args)...);
  }
  void insert_back(std::size_t count, const T &element) {
    this->m_value.insert(this->m_value.end(), count, element);
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.end(), first, last);
  }
  /// All of a list, one element, or [first, last).
  void splice_back(list_type &from) { splice_back(from, from.begin(), from.end()); }
  void splice_back(list_type &from, iterator at) { splice_back(from, at, std::next(at)); }
  void splice_back(list_type &from, iterator first, iterator last) {
    detail::splice(this->m_value, this->m_value.end(), from, first, last);
  }

  void reduce(op_list_append_view *right) {
    this->m_value.splice(this->m_value.end(), right->m_value);
  }
};
template <class T, class Allocator = std::allocator<T>, bool kAlign = false>
struct op_list_append : detail::monoid_with_given<op_list_append_view<T, Allocator>, kAlign> {
  using detail::monoid_with_given<op_list_append_view<T, Allocator>, kAlign>::monoid_with_given;
};

template <class T, class Allocator = std::allocator<T>>
class op_list_prepend_view : public detail::sequence_view<std::list<T, Allocator>> {
  using base = detail::sequence_view<std::list<T, Allocator>>;

 public:
  using list_type = std::list<T, Allocator>;
  using iterator = typename list_type::iterator;

  using base::base;

  void push_front(const T &element) { this->m_value.push_front(element); }
  template <class... Args>
  void emplace_front(Args &&...args) {
    this->m_value.emplace_front(std::forward<Args>(args)...);
  }
  void insert_front(std::size_t count, const T &element) {
    this->m_value.insert(this->m_value.begin(), count, element);
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void insert_front(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.begin(), first, last);
  }
  /// All of a list, one element, or [first, last).
  void splice_front(list_type &from) { splice_front(from, from.begin(), from.end()); }
  void splice_front(list_type &from, iterator at) { splice_front(from, at, std::next(at)); }
  void splice_front(list_type &from, iterator first, iterator last) {
    detail::splice(this->m_value, this->m_value.begin(), from, first, last);
  }

  void reduce(op_list_prepend_view *right) {
    this->m_value.splice(this->m_value.begin(), right->m_value);
  }
};
template <class T, class Allocator = std::allocator<T>, bool kAlign = false>
struct op_list_prepend : detail::monoid_with_given<op_list_prepend_view<T, Allocator>, kAlign> {
  using detail::monoid_with_given<op_list_prepend_view<T, Allocator>, kAlign>::monoid_with_given;
};

template <class T, class Allocator = std::allocator<T>>
class reducer_list_append : public detail::older_reducer<reducer_list_append<T, Allocator>,
                                                         op_list_append<T, Allocator, true>,
                                                         op_list_append<T, Allocator, false>> {
  using base =
      detail::older_reducer<reducer_list_append<T, Allocator>, op_list_append<T, Allocator, true>,
                            op_list_append<T, Allocator, false>>;

 public:
  using list_type = std::list<T, Allocator>;

  reducer_list_append() {}
  reducer_list_append(const list_type &initial) : base(initial) {}
  void push_back(const T &element) { this->view().push_back(element); }
};
template <class T, class Allocator, bool kAlign>
struct legacy_reducer_downcast<reducer<op_list_append<T, Allocator, kAlign>>> {
  using type = reducer_list_append<T, Allocator>;
};

template <class T, class Allocator = std::allocator<T>>
class reducer_list_prepend : public detail::older_reducer<reducer_list_prepend<T, Allocator>,
                                                          op_list_prepend<T, Allocator, true>,
                                                          op_list_prepend<T, Allocator, false>> {
  using base =
      detail::older_reducer<reducer_list_prepend<T, Allocator>, op_list_prepend<T, Allocator, true>,
                            op_list_prepend<T, Allocator, false>>;

 public:
  using list_type = std::list<T, Allocator>;

  reducer_list_prepend() {}
  reducer_list_prepend(const list_type &initial) : base(initial) {}
  void push_front(const T &element) { this->view().push_front(element); }
};
template <class T, class Allocator, bool kAlign>
struct legacy_reducer_downcast<reducer<op_list_prepend<T, Allocator, kAlign>>> {
  using type = reducer_list_prepend<T, Allocator>;
};

}  // namespace cilk

#endif
