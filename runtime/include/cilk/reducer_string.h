/* Strings, in the order of the serial program, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_string> r; r->append(text), *r += text; op_wstring,
 * op_basic_string<Char>. And the older cilk::reducer_string, reducer_basic_string<Char>.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_STRING_H
#define CILK_REDUCER_STRING_H

#include "reducer_sequence.h"

#include <list>  // Cilk Plus' programs rely on it
#include <memory>
#include <string>
#include <utility>

namespace cilk {

template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>>
class op_basic_string_view
    : public detail::sequence_view<std::basic_string<Char, Traits, Allocator>> {
  using base = detail::sequence_view<std::basic_string<Char, Traits, Allocator>>;

 public:
  using string_type = std::basic_string<Char, Traits, Allocator>;

  using base::base;

  /// As std::basic_string's.
  template <class... Args>
  op_basic_string_view &append(Args &&...args) {
    this->m_value.append(std::forward<Args>(args)...);
    return *this;
  }
  template <class Text>
  op_basic_string_view &operator+=(const Text &text) {
    this->m_value += text;
    return *this;
  }
  void push_back(Char letter) { this->m_value.push_back(letter); }

  void reduce(op_basic_string_view *right) { detail::append_all(this->m_value, right->m_value); }
};
template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>,
          bool kAlign = false>
struct op_basic_string
    : detail::monoid_with_given<op_basic_string_view<Char, Traits, Allocator>, kAlign> {
  using detail::monoid_with_given<op_basic_string_view<Char, Traits, Allocator>,
                                  kAlign>::monoid_with_given;
};

using op_string = op_basic_string<char>;
using op_wstring = op_basic_string<wchar_t>;

template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>>
class reducer_basic_string
    : public detail::older_reducer<reducer_basic_string<Char, Traits, Allocator>,
                                   op_basic_string<Char, Traits, Allocator, true>,
                                   op_basic_string<Char, Traits, Allocator, false>> {
  using base = detail::older_reducer<reducer_basic_string<Char, Traits, Allocator>,
                                     op_basic_string<Char, Traits, Allocator, true>,
                                     op_basic_string<Char, Traits, Allocator, false>>;

 public:
  using string_type = std::basic_string<Char, Traits, Allocator>;

  using base::base;
  template <class... Args>
  reducer_basic_string &append(Args &&...args) {
    this->view().append(std::forward<Args>(args)...);
    return *this;
  }
  template <class Text>
  reducer_basic_string &operator+=(const Text &text) {
    this->view() += text;
    return *this;
  }
  void push_back(Char letter) { this->view().push_back(letter); }
};
template <class Char, class Traits, class Allocator, bool kAlign>
struct legacy_reducer_downcast<reducer<op_basic_string<Char, Traits, Allocator, kAlign>>> {
  using type = reducer_basic_string<Char, Traits, Allocator>;
};
using reducer_string = reducer_basic_string<char>;
using reducer_wstring = reducer_basic_string<wchar_t>;

}  // namespace cilk

#endif
