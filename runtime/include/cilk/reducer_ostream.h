/* Output, in the order of the serial program, in Cilk Plus' spelling.
 *
 * C++17 and later. cilk::reducer<cilk::op_ostream> r(std::cout); *r << x. And the older
 * cilk::reducer_ostream r(std::cout); r << x.
 * Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_OSTREAM_H
#define CILK_REDUCER_OSTREAM_H

#include "reducer.h"

#include <ios>
#include <iostream>  // Cilk Plus' programs rely on it
#include <sstream>
#include <streambuf>
#include <string>

namespace cilk {

/// A stream: the leftmost strand's writes through, the others' keep their text.
template <class Char, class Traits = std::char_traits<Char>>
class op_basic_ostream_view : public std::basic_ostream<Char, Traits> {
  using stream = std::basic_ostream<Char, Traits>;

 public:
  using value_type = stream;

  op_basic_ostream_view() : stream(nullptr) { this->init(&kept_); }
  /// Writes to `to`.
  explicit op_basic_ostream_view(const stream &to) : stream(nullptr) {
    this->init(to.rdbuf());
    this->copyfmt(to);
  }

  const stream &view_get_value() const { return *this; }
  /// After a failure nothing is written, as in the serial program. Its state says of it what an
  /// exception would have said, which may not leave here.
  void reduce(op_basic_ostream_view *right) {
    const auto text = right->kept_.str();
    try {
      this->write(text.data(), static_cast<std::streamsize>(text.size()));
      this->setstate(right->rdstate());
    } catch (...) {
    }
  }

 private:
  std::basic_stringbuf<Char, Traits> kept_;
};
template <class Char, class Traits = std::char_traits<Char>, bool kAlign = false>
struct op_basic_ostream : monoid_with_view<op_basic_ostream_view<Char, Traits>, kAlign> {};
using op_ostream = op_basic_ostream<char>;
using op_wostream = op_basic_ostream<wchar_t>;

/// Classes, so that programs may declare them before they include this.
class reducer_ostream;
class reducer_wostream;
template <bool kAlign>
struct legacy_reducer_downcast<reducer<op_basic_ostream<char, std::char_traits<char>, kAlign>>> {
  using type = reducer_ostream;
};
template <bool kAlign>
struct legacy_reducer_downcast<
    reducer<op_basic_ostream<wchar_t, std::char_traits<wchar_t>, kAlign>>> {
  using type = reducer_wostream;
};

/// A new stream begins with the standard's formatting flags: set those that you need with each
/// piece of text, not once for all.
template <class Char, class Traits = std::char_traits<Char>>
class reducer_basic_ostream : public detail::older_reducer<reducer_basic_ostream<Char, Traits>,
                                                           op_basic_ostream<Char, Traits, true>,
                                                           op_basic_ostream<Char, Traits, false>> {
  using base = detail::older_reducer<reducer_basic_ostream<Char, Traits>,
                                     op_basic_ostream<Char, Traits, true>,
                                     op_basic_ostream<Char, Traits, false>>;
  using stream = std::basic_ostream<Char, Traits>;

 public:
  explicit reducer_basic_ostream(const stream &to) : base(to) {}
  template <class T>
  friend stream &operator<<(reducer_basic_ostream &reducer, const T &value) {
    return reducer.view() << value;
  }
  friend stream &operator<<(reducer_basic_ostream &reducer, stream &(*manipulate)(stream &)) {
    return reducer.view() << manipulate;
  }
  stream &get_reference() { return this->view(); }
};
class reducer_ostream : public reducer_basic_ostream<char> {
 public:
  using reducer_basic_ostream::reducer_basic_ostream;
};
class reducer_wostream : public reducer_basic_ostream<wchar_t> {
 public:
  using reducer_basic_ostream::reducer_basic_ostream;
};

}  // namespace cilk

#endif
