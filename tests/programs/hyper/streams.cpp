// Reducers of output streams whose output fails: nothing is written after the place at which the
// serial program stops, and the state tells of it.

#include <cilk/cilk.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_ostream.h>

#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>

#include "../support/check.h"

namespace {

constexpr int kCount = 60;

// Takes some letters, as a disk that is nearly full.
class Small : public std::streambuf {
 public:
  explicit Small(int size) : left_(size) {}
  const std::string &text() const { return text_; }

 private:
  int_type overflow(int_type letter) override {
    if (left_-- <= 0) return traits_type::eof();
    text_ += traits_type::to_char_type(letter);
    return letter;
  }
  int left_;
  std::string text_;
};

void print(const char *what, const std::string &text, const std::ios &stream) {
  std::cout << what << ' ' << text << (stream.bad() ? " bad" : "") << (stream.fail() ? " fail" : "")
            << '\n';
}

void full(int size) {
  Small small(size), other_small(size);
  std::ostream to_small(&small), to_other(&other_small);
  cilk::reducer<cilk::op_ostream> out(to_small);
  cilk::ostream_reducer<char> other(to_other);
  cilk_for (int i = 0; i < kCount; ++i) {
    if (i % 8 == 0) linger();
    *out << i << ' ';
    other << i << ' ';
  }
  print("full", small.text(), *out);
  print("full", other_small.text(), other);
}

// A strand says that it failed; those that come later do not write.
void failed(int at) {
  std::ostringstream text, other_text;
  {
    cilk::reducer<cilk::op_ostream> out(text);
    cilk::ostream_reducer<char> other(other_text);
    cilk_for (int i = 0; i < kCount; ++i) {
      if (i % 8 == 0) linger();
      *out << i << ' ';
      other << i << ' ';
      if (i == at) {
        out->setstate(std::ios::failbit);
        other.setstate(std::ios::failbit);
      }
    }
    print("failed", text.str(), *out);
    print("failed", other_text.str(), other);
  }
  // Where the program asks for exceptions, one may not leave where views are reduced.
  text.exceptions(std::ios::failbit);
  cilk::reducer<cilk::op_ostream> out(text);
  int thrown = 0;
  try {
    cilk_for (int i = 0; i < kCount; ++i)
      if (i == at) {
        linger();
        out->setstate(std::ios::failbit);
      }
  } catch (const std::ios::failure &) {
    ++thrown;
  }
  CHECK(thrown == 1 || out->fail());
}

}  // namespace

int main() {
  for (const int size : {0, 1, 50, 100, 1000}) full(size);
  for (const int at : {0, 1, kCount / 2, kCount - 1}) failed(at);
}
