// A stack of plain things that never moves and never tests for room.
//
// The addresses of all it may ever hold are reserved at once, and the system makes a page at its
// first touch. So a hook that adds one is a store, and calls nothing. Used by strands.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_STACK_H
#define NOPAL_RACE_STACK_H

#include <cstddef>
#include <span>
#include <type_traits>

namespace nopal::race {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Ends the process if there are no such addresses.
void *reserve(std::size_t bytes);
/// After the first MiB or two: who fills these has few faults then, and others use no more than
/// they touch.
void use_huge_pages_later(void *begin, std::size_t bytes);

/// The caller knows why there are never more than `Most`.
template <class T, std::size_t Most>
class Stack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void start() {
    begin_ = end_ = static_cast<T *>(reserve(Most * sizeof(T)));
    use_huge_pages_later(begin_, Most * sizeof(T));
  }

  void push(const T &one) { *end_++ = one; }
  void pop() { --end_; }
  /// Removes that one and all after it.
  void cut(T *first) { end_ = first; }

  bool is_empty() const { return begin_ == end_; }
  T *begin() const { return begin_; }
  T *end() const { return end_; }
  T &top() const { return end_[-1]; }
  std::size_t index_of(const T *one) const { return static_cast<std::size_t>(one - begin_); }
  std::span<const T> all() const { return {begin_, end_}; }

 private:
  T *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace nopal::race

#endif
