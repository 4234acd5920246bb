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

#include "reducer.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

namespace cilk {

template <class T, class Allocator = std::allocator<T>>
class op_list_append_view : public scalar_view<std::list<T, Allocator>> {
 public:
  using list_type = std::list<T, Allocator>;

  op_list_append_view() {}
  explicit op_list_append_view(const list_type &value) : scalar_view<list_type>(value) {}

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
  void splice_back(list_type &from) { this->m_value.splice(this->m_value.end(), from); }

  void reduce(op_list_append_view *right) {
    this->m_value.splice(this->m_value.end(), right->m_value);
  }
};
template <class T, class Allocator = std::allocator<T>, bool kAlign = true>
struct op_list_append : monoid_with_view<op_list_append_view<T, Allocator>, kAlign> {};

template <class T, class Allocator = std::allocator<T>>
class op_list_prepend_view : public scalar_view<std::list<T, Allocator>> {
 public:
  using list_type = std::list<T, Allocator>;

  op_list_prepend_view() {}
  explicit op_list_prepend_view(const list_type &value) : scalar_view<list_type>(value) {}

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
  void splice_front(list_type &from) { this->m_value.splice(this->m_value.begin(), from); }

  void reduce(op_list_prepend_view *right) {
    this->m_value.splice(this->m_value.begin(), right->m_value);
  }
};
template <class T, class Allocator = std::allocator<T>, bool kAlign = true>
struct op_list_prepend : monoid_with_view<op_list_prepend_view<T, Allocator>, kAlign> {};

template <class T, class Allocator = std::allocator<T>>
class reducer_list_append : public reducer<op_list_append<T, Allocator, false>> {
  using base = reducer<op_list_append<T, Allocator, false>>;

 public:
  using list_type = std::list<T, Allocator>;

  reducer_list_append() {}
  explicit reducer_list_append(const list_type &initial) : base(initial) {}
  void push_back(const T &element) { this->view().push_back(element); }
  const list_type &get_reference() const { return this->view().view_get_reference(); }
  reducer_list_append &operator*() { return *this; }
  reducer_list_append *operator->() { return this; }
};

template <class T, class Allocator = std::allocator<T>>
class reducer_list_prepend : public reducer<op_list_prepend<T, Allocator, false>> {
  using base = reducer<op_list_prepend<T, Allocator, false>>;

 public:
  using list_type = std::list<T, Allocator>;

  reducer_list_prepend() {}
  explicit reducer_list_prepend(const list_type &initial) : base(initial) {}
  void push_front(const T &element) { this->view().push_front(element); }
  const list_type &get_reference() const { return this->view().view_get_reference(); }
  reducer_list_prepend &operator*() { return *this; }
  reducer_list_prepend *operator->() { return this; }
};

}  // namespace cilk

#endif
