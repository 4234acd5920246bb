/* cilk::sort and cilk::stable_sort.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. Merge sort: the range is halved an even number
 * of times, the leaves are sorted by the standard library, and merges move the elements to a buffer
 * and back, level by level:
 *
 *     level 2   range    [5 1] [4 2] [6 0] [7 3]    four leaves, sorted where they are
 *     level 1   buffer   [1 2 4 5]   [0 3 6 7]
 *     level 0   range    [0 1 2 3 4 5 6 7]
 *
 * Nothing throws between: a leaf or a merge notes an exception of the comparator and leaves its
 * elements in any order, so each level finds as many elements as it expects. The
 * exception leaves at the end.
 *
 * Why merge sort and not quicksort, in figures: benchmarks/algorithms.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_SORT_H
#define CILK_ALGORITHM_SORT_H

#include "buffer.h"
#include "merge.h"

#include <memory>
#include <new>

namespace cilk {

namespace detail {

/// The element that `at` refers to, to be moved from.
template <class I>
decltype(auto) moved(I at) {
#if defined(__cpp_lib_ranges)
  return std::ranges::iter_move(at);
#else
  if constexpr (std::is_reference_v<decltype(*at)>)
    return std::move(*at);
  else
    return *at;
#endif
}

template <class I, class Compare, bool kStable>
class merge_sort {
  using T = value_of<I>;

 public:
  /// Even, and of the number of elements alone. A quarter to all of kLeaf elements are in a leaf if
  /// there are enough. Objects have larger leaves: a merge moves each once more than std::sort.
  static constexpr count kLeaf = is_merged_without_branches_v<T> ? 8192 : 32768;
  static int levels_for(count n) {
    int levels = 0;
    while ((n >> levels) > (levels == 0 ? 1024 : kLeaf)) levels += 2;
    return levels;
  }

  merge_sort(I first, count n, T *buffer, Compare &compare)
      : first_(first),
        buffer_(buffer),
        compare_(compare),
        block_(block_size(n, 512, 8192)),
        levels_(levels_for(n)) {}

  void run(count n) {
    (void)node(0, n, 0);
    exception_.raise();
  }

 private:
  /// Sorts [low, high). The result is in the range if `level` is even, else in the buffer. False if
  /// an element may have been lost to an exception: then nobody may compare it.
  bool node(count low, count high, int level) noexcept {
    if (level == levels_) return leaf(low, high);
    const count middle = low + (high - low) / 2;
    bool is_left_whole = cilk_spawn node(low, middle, level + 1);
    const bool is_right_whole = node(middle, high, level + 1);
    cilk_sync;
    const bool is_whole = is_left_whole && is_right_whole;
    const first_exception::place at{high, high - low, 0};
    if (level % 2 == 0)
      merge<false>(buffer_ + low, middle - low, buffer_ + middle, high - middle, first_ + low,
                   is_whole, at);
    else
      merge<true>(first_ + low, middle - low, first_ + middle, high - middle, buffer_ + low,
                  is_whole, at);
    return is_whole;
  }

  bool leaf(count low, count high) noexcept {
    try {
      if constexpr (kStable)
        std::stable_sort(first_ + low, first_ + high, std::ref(compare_));
      else
        std::sort(first_ + low, first_ + high, std::ref(compare_));
      return true;
    } catch (...) {
      exception_.note({high, high - low, 0});
      return false;
    }
  }

  template <bool kToBuffer, class From, class To>
  void merge(From first, count n, From second, count m, To out, bool compares,
             first_exception::place at) noexcept {
    if (n + m <= block_)
      return merge_block<kToBuffer>(first, first + n, second, second + m, out, compares, at);
    cut where{n / 2, m / 2};
    if (compares) try {
        where = detail::cut_of(first, n, second, m, compare_);
      } catch (...) {
        exception_.note(at);
      }
    cilk_spawn merge<kToBuffer>(first, where.left, second, where.right, out, compares, at);
    at.low += where.left + where.right;
    merge<kToBuffer>(first + where.left, n - where.left, second + where.right, m - where.right,
                     out + (where.left + where.right), compares, at);
    cilk_sync;
  }

  template <bool kToBuffer, class From, class To>
  void merge_block(From first, From last, From second, From end, To out, bool compares,
                   const first_exception::place &at) noexcept {
    merge_rest<From, From, To> rest{first, last, second, end, out};
    try {
      if constexpr (is_merged_without_branches_v<T>)
        if (compares) detail::merge_without_branches(rest, compare_);
      while (compares && rest.first != rest.last && rest.second != rest.end) {
        // No branch on what nobody can predict: either is moved by the same code.
        const auto takes_right = static_cast<bool>(compare_(*rest.second, *rest.first));
        From from = takes_right ? rest.second : rest.first;
        move<kToBuffer>(from, rest.out);
        rest.second += takes_right;
        rest.first += !takes_right;
      }
    } catch (...) {
      exception_.note(at);
    }
    while (rest.first != rest.last) move<kToBuffer>(rest.first, rest.out);
    while (rest.second != rest.end) move<kToBuffer>(rest.second, rest.out);
  }

  template <bool kToBuffer, class From, class To>
  static void move(From &from, To &to) noexcept {
    if constexpr (kToBuffer) {
      ::new (static_cast<void *>(to)) T(detail::moved(from));
    } else {
      *to = std::move(*from);
      from->~T();
    }
    ++from;
    ++to;
  }

  I first_;
  T *buffer_;
  Compare &compare_;
  count block_;
  int levels_;
  first_exception exception_;
};

/// Of numbers a step at a time, without a branch for each, so that vectors can compare them.
template <class I, class Compare>
bool is_sorted(I first, I last, Compare &compare) {
  if constexpr (is_merged_without_branches_v<value_of<I>>) {
    constexpr count kStep = 256;
    for (; last - first > kStep; first += kStep) {
      bool descends = false;
      for (count i = 0; i < kStep; ++i)
        descends |= static_cast<bool>(compare(*(first + (i + 1)), *(first + i)));
      if (descends) return false;
    }
  }
  return std::is_sorted(first, last, std::ref(compare));
}

/// Whether the reverse is sorted; kStable: and no two elements are equal.
template <bool kStable, class I, class Compare>
bool is_reversed(I first, I last, Compare &compare) {
  return std::adjacent_find(first, last, [&](auto &&x, auto &&y) {
           return kStable ? !compare(y, x) : static_cast<bool>(compare(x, y));
         }) == last;
}

template <bool kStable, class I, class Compare>
void sort(I first, I last, Compare &compare) {
  check_write<I>();
  using T = value_of<I>;
  const auto n = static_cast<count>(last - first);
  // Either is soon known as a rule.
  if (detail::is_sorted(first, last, compare)) return;
  if (detail::is_reversed<kStable>(first, last, compare)) return std::reverse(first, last);
  if constexpr (std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>) {
    using parallel = merge_sort<I, Compare, kStable>;
    if (parallel::levels_for(n) > 0) {
      const raw_buffer<T> buffer(n);
      if (buffer.get() != nullptr) return parallel(first, n, buffer.get(), compare).run(n);
    }
  }
  if constexpr (kStable)
    std::stable_sort(first, last, std::ref(compare));
  else
    std::sort(first, last, std::ref(compare));
}

}  // namespace detail

/// Sorts in ascending order by `compare`. Equal elements may change places, for any number of
/// workers in the same way. Needs memory for as many elements. Without that, or if moving an
/// element may throw, it is std::sort. If the comparator throws, the elements have valid values.
template <class I, class Compare = std::less<>, detail::if_iterator<I> = 0>
void sort(I first, I last, Compare compare = Compare{}) {
  detail::sort<false>(first, last, compare);
}
template <class R, class Compare = std::less<>, detail::if_range<R> = 0>
void sort(R &&range, Compare compare = Compare{}) {
  cilk::sort(detail::begin_of(range), detail::end_of(range), std::move(compare));
}

/// The same, and equal elements keep their order.
template <class I, class Compare = std::less<>, detail::if_iterator<I> = 0>
void stable_sort(I first, I last, Compare compare = Compare{}) {
  detail::sort<true>(first, last, compare);
}
template <class R, class Compare = std::less<>, detail::if_range<R> = 0>
void stable_sort(R &&range, Compare compare = Compare{}) {
  cilk::stable_sort(detail::begin_of(range), detail::end_of(range), std::move(compare));
}

}  // namespace cilk

#endif
