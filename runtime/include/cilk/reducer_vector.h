/* Vectors, in the order of the serial program, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_vector<T>> r; r->push_back(x).
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_VECTOR_H
#define CILK_REDUCER_VECTOR_H

#include "reducer_sequence.h"

#include <cstddef>
#include <iterator>
#include <list>  // Cilk Plus' programs rely on it
#include <memory>
#include <utility>
#include <vector>

namespace cilk {

template <class T, class Allocator = std::allocator<T>>
class op_vector_view : public detail::sequence_view<std::vector<T, Allocator>> {
  using base = detail::sequence_view<std::vector<T, Allocator>>;

 public:
  using vector_type = std::vector<T, Allocator>;

  using base::base;

  void push_back(const T &element) { this->m_value.push_back(element); }
  template <class... Args>
  void emplace_back(Args &&...args) {
    this->m_value.emplace_back(std::forward<Args>(args)...);
  }
  void insert_back(const T &element) { push_back(element); }
  void insert_back(std::size_t count, const T &element) {
    this->m_value.insert(this->m_value.end(), count, element);
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.end(), first, last);
  }

  void reduce(op_vector_view *right) { detail::append_all(this->m_value, right->m_value); }
};
template <class T, class Allocator = std::allocator<T>, bool kAlign = false>
struct op_vector : detail::monoid_with_given<op_vector_view<T, Allocator>, kAlign> {
  using detail::monoid_with_given<op_vector_view<T, Allocator>, kAlign>::monoid_with_given;
};

}  // namespace cilk

#endif
