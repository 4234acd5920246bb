/* cilk::merge.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. The middle of the longer range divides both: a
 * binary search finds its place in the shorter one. The parts are merged in parallel.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_MERGE_H
#define CILK_ALGORITHM_MERGE_H

#include "parts.h"

namespace cilk {

namespace detail {

/// The first of `n` numbers that has not a property, which holds for those before and none after.
template <class Has>
count first_without(count n, const Has &has) {
  count first = 0;
  while (n > 0) {
    const count half = n / 2;
    if (has(first + half)) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

/// Where a merge is divided: `left` elements of the first range and `right` of the second one come
/// before all others. An element of the first range comes before its equals in the second one.
struct cut {
  count left, right;
};
template <class I, class J, class Compare>
cut cut_of(I first, count n, J second, count m, Compare &compare) {
  cut at{n / 2, m / 2};
  if (n >= m)
    at.right = detail::first_without(
        m, [&](count i) { return static_cast<bool>(compare(*(second + i), *(first + at.left))); });
  else
    at.left = detail::first_without(
        n, [&](count i) { return !compare(*(second + at.right), *(first + i)); });
  return at;
}

/// Copies of the same value cost nothing, and a comparison is an instruction: then a merge without
/// branches is faster, since nobody can predict them.
template <class T>
inline constexpr bool is_merged_without_branches_v =
    std::is_arithmetic_v<T> || std::is_pointer_v<T>;

/// What remains of a merge: the runs [first, last) and [second, end), and where the rest begins.
template <class I, class J, class Out>
struct merge_rest {
  I first, last;
  J second, end;
  Out out;
};

/// Merges from both ends at once, so that the processor has two chains of comparisons to work on,
/// and looks only now and then whether a run is at its end: `steps` from each end take at most as
/// many of each run as there are. `rest` is right if a comparison throws.
template <class I, class J, class Out, class Compare>
void merge_without_branches(merge_rest<I, J, Out> &rest, Compare &compare) {
  using T = value_of<I>;
  for (;;) {
    count steps = std::min<count>(rest.last - rest.first, rest.end - rest.second) / 2;
    if (steps == 0) return;
    I first = rest.first, last = rest.last - 1;
    J second = rest.second, end = rest.end - 1;
    Out out = rest.out, back = rest.out + ((last - first) + (end - second) + 1);
    for (; steps > 0; --steps) {
      const T left = *first, right = *second;
      const T last_left = *last, last_right = *end;
      const auto takes_right = static_cast<bool>(compare(right, left));
      const auto takes_left = static_cast<bool>(compare(last_right, last_left));
      *out = takes_right ? right : left;
      *back = takes_left ? last_left : last_right;
      ++out;
      --back;
      second += takes_right;
      first += !takes_right;
      last -= takes_left;
      end -= !takes_left;
    }
    rest = {first, last + 1, second, end + 1, out};
  }
}

template <class I, class J, class Out, class Compare>
void merge_serially(I first, I last, J second, J end, Out out, Compare &compare) {
  if constexpr (std::is_same_v<value_of<I>, value_of<J>> &&
                is_merged_without_branches_v<value_of<I>>) {
    merge_rest<I, J, Out> rest{first, last, second, end, out};
    detail::merge_without_branches(rest, compare);
    first = rest.first;
    second = rest.second;
    out = rest.out;
  }
  for (; first != last && second != end; ++out) {
    if (compare(*second, *first)) {
      *out = *second;
      ++second;
    } else {
      *out = *first;
      ++first;
    }
  }
  for (; first != last; ++first, (void)++out) *out = *first;
  for (; second != end; ++second, (void)++out) *out = *second;
}

template <class I, class J, class Out, class Compare>
void merge(I first, count n, J second, count m, Out out, Compare &compare, count block) {
  if (n + m <= block)
    return detail::merge_serially(first, first + n, second, second + m, out, compare);
  const cut at = detail::cut_of(first, n, second, m, compare);
  cilk_spawn detail::merge(first, at.left, second, at.right, out, compare, block);
  detail::merge(first + at.left, n - at.left, second + at.right, m - at.right,
                out + (at.left + at.right), compare, block);
  cilk_sync;
}

}  // namespace detail

/// Merges two sorted ranges into `out`, which overlaps neither, stably: of equal elements those of
/// the first range come first. Returns the end of what was written.
template <class I, class J, class Out, class Compare = std::less<>, detail::if_iterator<I> = 0,
          detail::if_iterator<J> = 0, detail::if_iterator<Out> = 0>
Out merge(I first, I last, J second, J end, Out out, Compare compare = Compare{}) {
  detail::check_read<I>();
  detail::check_read<J>();
  detail::check_write<Out>();
  const auto n = static_cast<detail::count>(last - first);
  const auto m = static_cast<detail::count>(end - second);
  detail::merge(first, n, second, m, out, compare, detail::block_size(n + m, 256, 8192));
  return out + (n + m);
}
template <class R, class S, class Out, class Compare = std::less<>, detail::if_range<R> = 0,
          detail::if_range<S> = 0, detail::if_iterator<Out> = 0>
Out merge(R &&range, S &&second, Out out, Compare compare = Compare{}) {
  return cilk::merge(detail::begin_of(range), detail::end_of(range), detail::begin_of(second),
                     detail::end_of(second), out, std::move(compare));
}

}  // namespace cilk

#endif
