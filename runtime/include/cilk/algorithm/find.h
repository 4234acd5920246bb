/* cilk::find_if.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. A tree over blocks; a block that begins after
 * the best match so far is not searched. One worker is always at the front, so no search takes
 * longer than the serial one, and with P workers none takes longer than about a P-th of the range.
 * (Windows of growing size, which keep all workers near the front, took 1.12 times as long for a
 * late match.)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_FIND_H
#define CILK_ALGORITHM_FIND_H

#include "parts.h"

namespace cilk {

namespace detail {

/// The search for the first match or the first exception: the serial program ends with either.
template <class I, class Predicate>
class search {
 public:
  search(I first, count n, Predicate &predicate)
      : first_(first), n_(n), predicate_(predicate), best_(n) {}

  /// The position of the first match; n if there is none.
  count run() {
    const count size = block_size(n_, 1, 4096);
    detail::call_apart([&] { blocks(size, 0, blocks_of(n_, size)); });
    const count found = best_.load(std::memory_order_relaxed);
    if (exception_.is_at({found, 0, 0})) exception_.raise();
    return found;
  }

 private:
  void blocks(count size, count low, count high) {
    const count from = low * size;
    if (from >= best_.load(std::memory_order_relaxed)) return;
    if (high - low == 1) return block(from, std::min(n_, from + size));
    const count middle = low + (high - low) / 2;
    cilk_spawn blocks(size, low, middle);
    blocks(size, middle, high);
    cilk_sync;
  }

  void block(count from, count end) noexcept {
    try {
      if constexpr (std::is_trivially_copy_constructible_v<value_of<I>>) {
        from = skip(from, end);
        if (from >= best_.load(std::memory_order_relaxed)) return;
      }
      for (cursor<I> at(first_ + from); from != end; ++from, ++at)
        if (predicate_(*at)) return improve(from);
    } catch (...) {
      // It comes after all matches of earlier blocks, and before those of later ones.
      exception_.note({from, 0, 0});
      improve(from);
    }
  }

  /// Where some elements begin of which one matches or throws; `end` if none of the block does. The
  /// loop over them has no early end, so that it can be vectorized: numbers take 0.63 of the time
  /// of std::find_if, pairs of them 0.85. There are as many as the block had before them, at
  /// most 256, so a match costs at most three times the calls.
  count skip(count from, count end) noexcept {
    count length = 1;
    for (count at = from; at < end; at += length) {
      if (at >= best_.load(std::memory_order_relaxed)) return at;
      length = std::min({at - from + 1, count{256}, end - at});
      if (any(first_ + at, length)) return at;
    }
    return end;
  }

  /// Whether the predicate holds for one of these elements, or throws.
  bool any(cursor<I> at, count length) noexcept {
    try {
      bool found = false;
      for (; length > 0; --length, ++at) found |= static_cast<bool>(predicate_(*at));
      return found;
    } catch (...) {
      return true;
    }
  }

  void improve(count found) noexcept {
    count best = best_.load(std::memory_order_relaxed);
    while (found < best && !best_.compare_exchange_weak(best, found, std::memory_order_relaxed)) {
    }
  }

  I first_;
  count n_;
  Predicate &predicate_;
  std::atomic<count> best_;  // strands read and lower it; a stale value costs time only
  first_exception exception_;
};

}  // namespace detail

/// The first element that the predicate holds for; `last` if there is none. The predicate may be
/// called for elements after that one, and twice for an element; what it throws after the match is
/// dropped, as the serial program would not have called it.
template <class I, class Predicate, detail::if_iterator<I> = 0>
I find_if(I first, I last, Predicate predicate) {
  detail::check_read<I>();
  const auto n = static_cast<detail::count>(last - first);
  if (n <= 0) return last;
  return first + detail::search<I, Predicate>(first, n, predicate).run();
}
template <class R, class Predicate, detail::if_range<R> = 0>
auto find_if(R &&range, Predicate predicate) {
  return cilk::find_if(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}

}  // namespace cilk

#endif
