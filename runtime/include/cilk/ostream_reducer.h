/* cilk::ostream_reducer<Char>: an output stream in serial order, as OpenCilk has it.
 *
 *     cilk::ostream_reducer<char> out(std::cout);
 *     cilk_for (int i = 0; i < n; ++i) out << i << '\n';
 *
 * C++17. A hyperobject of the language: a use is the current view, a std::basic_ostream. The first
 * view writes to the stream that it was given, with that stream's flags; the others keep what is
 * written until they are reduced, and begin with the default flags. With CILK_SERIAL defined it is
 * the view. Checked by tests/programs/hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_OSTREAM_REDUCER_H
#define CILK_OSTREAM_REDUCER_H

#ifndef __cplusplus
#error "<cilk/ostream_reducer.h> is for C++"
#endif

#include "keywords.h"

#include <new>
#include <ostream>
#include <sstream>
#include <string>

namespace cilk {

template <class Char, class Traits = std::char_traits<Char>>
class ostream_view : public std::basic_ostream<Char, Traits> {
  using base = std::basic_ostream<Char, Traits>;

 public:
  /// Keeps what is written.
  ostream_view() : base(nullptr) { this->rdbuf(&text_); }
  /// Writes to `stream`, which must live as long.
  ostream_view(const base &stream) : base(nullptr) {
    this->rdbuf(stream.rdbuf());
    this->flags(stream.flags());
    this->setstate(stream.rdstate());
  }

  static void identity(void *view) { ::new (view) ostream_view(); }
  /// After a failure nothing is written, as in the serial program. Its state says of it what an
  /// exception would have said, which may not leave here.
  static void reduce(void *left, void *right) {
    auto *const to = static_cast<ostream_view *>(left);
    auto *const from = static_cast<ostream_view *>(right);
    const std::basic_string<Char, Traits> text = from->text_.str();
    try {
      to->write(text.data(), static_cast<std::streamsize>(text.size()));
      to->setstate(from->rdstate());
    } catch (...) {
    }
    from->~ostream_view();
  }

 private:
  std::basic_stringbuf<Char, Traits> text_;  // of every view but the first
};

template <class Char, class Traits = std::char_traits<Char>>
using ostream_reducer = ostream_view<Char, Traits> _Hyperobject(
    ostream_view<Char, Traits>::identity, ostream_view<Char, Traits>::reduce);

}  // namespace cilk

#endif
