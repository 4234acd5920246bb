/* cilk::partition.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. Three steps:
 *
 *     each block by itself        TTFF | TFFF | TTTF     in parallel
 *     where the point lies        TTFF | TF^FF | TTTF    the number of T
 *     exchange what is misplaced  TTTT | TT^FF | FFFF    k-th F before it with k-th T after it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_PARTITION_H
#define CILK_ALGORITHM_PARTITION_H

#include "parts.h"

namespace cilk {

namespace detail {

/// Misplaced elements: a run of positions for each block.
class misplaced {
 public:
  void add(count begin, count end) {
    if (begin >= end) return;
    runs_.push_back({total_, begin});
    total_ += end - begin;
  }
  count total() const noexcept { return total_; }

  /// Where the `rank`-th one stands, and how many follow it directly, itself included.
  std::pair<count, count> at(count rank) const {
    const auto next = std::upper_bound(runs_.begin(), runs_.end(), rank,
                                       [](count r, const run &each) { return r < each.rank; });
    const count end = next == runs_.end() ? total_ : next->rank;
    return {(next - 1)->begin + (rank - (next - 1)->rank), end - rank};
  }

 private:
  struct run {
    count rank, begin;
  };
  std::vector<run> runs_;
  count total_ = 0;
};

/// std::partition; for numbers and pointers without branches that nobody can predict:
///
///     T..T F..F ? ..    x = [i], [i] = [j], [j] = x; j moves on if x is a T
///          j    i
template <class I, class Predicate>
I partition_block(I first, I last, Predicate &predicate) {
  if constexpr (std::is_arithmetic_v<value_of<I>> || std::is_pointer_v<value_of<I>>) {
    I point = std::find_if_not(first, last, std::ref(predicate));
    while (point != last && !predicate(*(last - 1))) --last;  // these stay, and are not written
    for (I at = point; at != last; ++at) {
      const value_of<I> element = *at;
      const auto holds = static_cast<bool>(predicate(element));
      *at = *point;
      *point = element;
      point += holds;
    }
    return point;
  } else {
    return std::partition(first, last, std::ref(predicate));
  }
}

template <class I, class Predicate>
count partition(I first, count n, Predicate &predicate) {
  const count size = block_size(n, 1, 4096);
  const count blocks = blocks_of(n, size);
  if (blocks == 1) return detail::partition_block(first, first + n, predicate) - first;
  std::vector<count> points(static_cast<std::size_t>(blocks));  // where a block's F begin
  each_block(0, blocks, [&](count k) {
    const I end = first + std::min(n, (k + 1) * size);
    points[static_cast<std::size_t>(k)] =
        detail::partition_block(first + k * size, end, predicate) - first;
  });
  count point = 0;
  for (count k = 0; k < blocks; ++k) point += points[static_cast<std::size_t>(k)] - k * size;
  misplaced early, late;  // F before the point, T after it
  for (count k = 0; k < blocks; ++k) {
    const count begin = k * size, middle = points[static_cast<std::size_t>(k)];
    early.add(middle, std::min({n, begin + size, point}));
    late.add(std::max(begin, point), middle);
  }
  constexpr count kSwaps = 4096;  // in one strand: some microseconds
  if (early.total() > 0)
    each_block(0, blocks_of(early.total(), kSwaps), [&](count k) {
      for (count rank = k * kSwaps, end = std::min(early.total(), rank + kSwaps); rank < end;) {
        const auto [left, lefts] = early.at(rank);
        const auto [right, rights] = late.at(rank);
        const count length = std::min({lefts, rights, end - rank});
        std::swap_ranges(first + left, first + left + length, first + right);
        rank += length;
      }
    });
  return point;
}

}  // namespace detail

/// Exchanges elements until those that the predicate holds for come before the others; not stable.
/// Returns where the others begin. The predicate is called at most twice for an element. If it
/// throws, the elements are all there, in any order.
template <class I, class Predicate, detail::if_iterator<I> = 0>
I partition(I first, I last, Predicate predicate) {
  detail::check_write<I>();
  const auto n = static_cast<detail::count>(last - first);
  return n <= 0 ? first : first + detail::partition(first, n, predicate);
}
template <class R, class Predicate, detail::if_range<R> = 0>
auto partition(R &&range, Predicate predicate) {
  return cilk::partition(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}

}  // namespace cilk

#endif
