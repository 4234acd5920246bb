/* What the algorithms of <cilk/algorithm.h> share: which iterators they take, how elements are
 * divided among strands, and which of several exceptions leaves.
 *
 * Not for users, but for the concepts cilk::parallel_iterator and cilk::parallel_range.
 *
 * <cilk/algorithm.h> includes <cilk/cilk.h>, <cilk/cilk_api.h>, <cilk/monoid.h> and <cilk/race.h>
 * before this.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_PARTS_H
#define CILK_ALGORITHM_PARTS_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace cilk {

namespace detail {

// ---- Iterators and ranges ----

/// void if there is none. A pointer to a function is no iterator, whatever C++17 says.
template <class I, class = void>
struct category_of {
  using type = void;
};
template <class I>
struct category_of<
    I, std::enable_if_t<!std::is_function_v<std::remove_pointer_t<I>>,
                        std::void_t<typename std::iterator_traits<I>::iterator_category>>> {
  using type = typename std::iterator_traits<I>::iterator_category;
};

// std::iterator_traits does not know all iterators of C++20, nor do the algorithms of namespace
// std: those of std::views::iota(0L, n) for one, whose difference is wider than a long.
#if defined(__cpp_lib_ranges)
template <class I>
inline constexpr bool is_iterator_v =
    std::input_or_output_iterator<I> || !std::is_void_v<typename category_of<I>::type>;
template <class I>
inline constexpr bool has_random_access_v =
    std::random_access_iterator<I> ||
    std::is_base_of_v<std::random_access_iterator_tag, typename category_of<I>::type>;
template <class I>
using value_of = std::iter_value_t<I>;
template <class I>
using difference_of = std::iter_difference_t<I>;
#else
template <class I>
inline constexpr bool is_iterator_v = !std::is_void_v<typename category_of<I>::type>;
template <class I>
inline constexpr bool has_random_access_v =
    std::is_base_of_v<std::random_access_iterator_tag, typename category_of<I>::type>;
template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
template <class I>
using difference_of = typename std::iterator_traits<I>::difference_type;
#endif

/// Where a range begins and ends, found as a range-based for finds it.
namespace access {
using std::begin;
using std::end;
template <class R>
auto first_of(R &range) -> decltype(begin(range)) {
  return begin(range);
}
template <class R>
auto last_of(R &range) -> decltype(end(range)) {
  return end(range);
}
}  // namespace access

template <class R>
using iterator_of = decltype(access::first_of(std::declval<R &>()));

template <class R, class = void>
inline constexpr bool is_range_v = false;
template <class R>
inline constexpr bool
    is_range_v<R, std::void_t<iterator_of<R>, decltype(access::last_of(std::declval<R &>()))>> =
        true;

/// For the last template parameter of an overload.
template <class I>
using if_iterator = std::enable_if_t<is_iterator_v<I>, int>;
template <class R>
using if_range = std::enable_if_t<is_range_v<R>, int>;
/// Of two arguments `first, last` by reference, where they might be two ranges as well: two arrays
/// are.
template <class I, class Last>
using if_iterators = std::enable_if_t<std::is_same_v<std::decay_t<I>, std::decay_t<Last>> &&
                                          is_iterator_v<std::decay_t<I>> &&
                                          !(std::is_array_v<std::remove_reference_t<I>> &&
                                            std::is_array_v<std::remove_reference_t<Last>>),
                                      int>;

/// Whether elements share words, so that strands must not write to two of them.
template <class I>
inline constexpr bool is_of_bits_v =
    std::is_same_v<std::decay_t<decltype(*std::declval<I &>())>, std::vector<bool>::reference>;

// The results are deduced so that Clang says these before what fails for the same reason.
template <class I>
constexpr auto check_read() {
  static_assert(has_random_access_v<I>,
                "a parallel algorithm needs random access iterators: copy the elements of a list "
                "or a stream into a vector first");
}
template <class I>
constexpr auto check_read_twice() {
  check_read<I>();
  using Element = decltype(*std::declval<I &>());
  static_assert(
      !std::is_rvalue_reference_v<Element> || std::is_trivially_copyable_v<std::decay_t<Element>>,
      "a parallel scan reads elements twice, and a move_iterator leaves nothing for the "
      "second time: give it iterators that do not move");
}
template <bool kAreOnlyRead>
constexpr auto check_bits() {
  static_assert(kAreOnlyRead,
                "strands must not write to a std::vector<bool>, whose elements share words: use "
                "a vector of char");
}
template <class I>
constexpr auto check_write() {
  static_assert(has_random_access_v<I>,
                "a parallel algorithm writes through random access iterators: give the vector its "
                "size first and pass begin(), not a back_inserter");
  check_bits<!is_of_bits_v<I>>();
}

/// Where a range begins; refuses one without random access, before anything else fails.
template <class R>
auto begin_of(R &range) {
  check_read<iterator_of<R>>();
  return access::first_of(range);
}
/// Where it ends, as an iterator and not a sentinel.
template <class R>
auto end_of(R &range) {
  const auto first = access::first_of(range);
  return first + (access::last_of(range) - first);
}

/// A place that goes forward, counted from an iterator of one or two words; that of a std::deque
/// has four, and goes forward itself, since adding to it divides.
template <class I, bool kCounts = sizeof(I) <= 2 * sizeof(void *)>
class cursor {
 public:
  cursor(I first) : first_(first) {}
  cursor from(std::ptrdiff_t i) const { return first_ + i; }
  decltype(auto) operator*() const { return *(first_ + i_); }
  cursor &operator++() {
    ++i_;
    return *this;
  }

 private:
  I first_;
  std::ptrdiff_t i_ = 0;
};
template <class I>
class cursor<I, false> {
 public:
  cursor(I first) : at_(first) {}
  cursor from(std::ptrdiff_t i) const { return at_ + i; }
  decltype(auto) operator*() const { return *at_; }
  cursor &operator++() {
    ++at_;
    return *this;
  }

 private:
  I at_;
};
/// Whether adding to these costs nothing.
template <class... I>
inline constexpr bool are_words_v = ((sizeof(I) <= sizeof(void *)) && ...);

// ---- How elements are divided ----

/// A number of elements.
using count = std::ptrdiff_t;

/// Elements that an algorithm processes in one strand: about a 256th of `n`, at least `least` and
/// at most `most`. Of `n` alone, so that the result is. Four times off: the spawns show where an
/// element costs little, or few costly elements keep few workers busy.
constexpr count block_size(count n, count least, count most) {
  const count part = (n + 255) / 256;
  return part < least ? least : part > most ? most : part;
}

/// The bounds of block_size: `cheap` if an element costs about a nanosecond, else nothing is known
/// of the cost.
constexpr count block_size_for(count n, bool cheap) {
  return block_size(n, cheap ? 4096 : 1, 8192);
}

/// The grain of a loop of `n` elements whose result does not depend on it: 0, which is the default,
/// or more than its 2,048, where that makes over 64 leaves a worker. An element may take a tenth of
/// a nanosecond, and what a leaf adds, ten. A multiple of 64, so that all leaves begin where
/// vectors are aligned if the first element is: 10^6 halved doubles took 1.25 times as long
/// without.
inline count grain_for(count n) {
  constexpr count default_most = 2048;
  const count grain = n / (count{64} * __cilkrts_get_nworkers()) / 64 * 64;
  return grain > default_most ? grain : 0;
}

constexpr count blocks_of(count n, count size) { return n / size + (n % size != 0); }

/// body(k) for each block in [low, high), in parallel, on one worker in their order.
template <class Body>
void each_block(count low, count high, const Body &body) {
  if (high - low == 1) return body(low);
  const count middle = low + (high - low) / 2;
  cilk_spawn detail::each_block(low, middle, body);
  detail::each_block(middle, high, body);
  cilk_sync;
}

/// body(low, high) for parts of [0, n), in parallel: for loops over iterators that are not words.
template <class Body>
void each_part(count n, const Body &body) {
  const count size = block_size(n, 1, 8192);
  cilk_for (count k = 0; k < blocks_of(n, size); ++k)
    body(k * size, n - k * size < size ? n : (k + 1) * size);
}

/// Calls what spawns as often as the schedule has it: in an iteration, so that the pedigree of the
/// caller does not depend on that (<cilk/dprng.h>).
template <class Function>
void call_apart(const Function &function) {
#ifdef __cilk_pedigrees__
  cilk_for (int once = 0; once < 1; ++once) function();
#else
  function();
#endif
}

// ---- Operations ----

template <class Op, class T>
inline constexpr bool is_standard_operation_v = false;
#define NOPAL_STANDARD_OPERATION(operation)                                  \
  template <class T>                                                         \
  inline constexpr bool is_standard_operation_v<std::operation<>, T> = true; \
  template <class T>                                                         \
  inline constexpr bool is_standard_operation_v<std::operation<T>, T> = true;
NOPAL_STANDARD_OPERATION(plus)
NOPAL_STANDARD_OPERATION(multiplies)
NOPAL_STANDARD_OPERATION(bit_and)
NOPAL_STANDARD_OPERATION(bit_or)
NOPAL_STANDARD_OPERATION(bit_xor)
NOPAL_STANDARD_OPERATION(logical_and)
NOPAL_STANDARD_OPERATION(logical_or)
#undef NOPAL_STANDARD_OPERATION

template <class Op, class T>
inline constexpr bool is_cheap_v = std::is_arithmetic_v<T> && is_standard_operation_v<Op, T>;

/// left op right. Op is a function of two values, or has `reduce` (<cilk/monoid.h>).
template <class T, class Op, class Left, class Right>
T combine(Op &op, Left &&left, Right &&right) {
  if constexpr (has_reduce<Op, T>::value) {
    T result(std::forward<Left>(left));
    T other(std::forward<Right>(right));
    op.reduce(result, other);
    return result;
  } else {
    return T(op(std::forward<Left>(left), std::forward<Right>(right)));
  }
}

// ---- Exceptions ----

/// Keeps the serially first exception of strands that must not end early.
class first_exception {
 public:
  /// A place in the serial order: compared from the first number on.
  struct place {
    count high, size, low;
    bool is_before(const place &other) const noexcept {
      if (high != other.high) return high < other.high;
      if (size != other.size) return size < other.size;
      return low < other.low;
    }
  };

  /// In a handler: remembers what it handles.
  void note(const place &at) noexcept {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
    nopal_race_lock(&busy_);  // the race detector does not know that `busy_` is a lock
    if (exception_ == nullptr || at.is_before(place_)) {
      exception_ = std::current_exception();
      place_ = at;
    }
    nopal_race_unlock(&busy_);
    busy_.clear(std::memory_order_release);
  }
  // The rest: after all strands have ended.
  bool is_at(const place &at) const noexcept {
    return exception_ != nullptr && !at.is_before(place_) && !place_.is_before(at);
  }
  void raise() {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
  }

 private:
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::exception_ptr exception_;
  place place_{};
};

}  // namespace detail

#if defined(__cpp_concepts)
/// What the algorithms take: iterators with random access, and ranges of such.
template <class I>
concept parallel_iterator = detail::has_random_access_v<I>;
template <class R>
concept parallel_range = detail::is_range_v<R> && parallel_iterator<detail::iterator_of<R>>;
#endif

}  // namespace cilk

#endif
