/* cilk::reduce, cilk::transform_reduce and cilk::count_if.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. The elements are divided into blocks; a
 * balanced tree over the blocks combines their results from left to right. Both depend on the
 * number of elements alone, so a floating-point sum has the same bits for any number of workers.
 * (It may differ from std::accumulate in the last digits, as std::reduce does.)
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_REDUCE_H
#define CILK_ALGORITHM_REDUCE_H

#include "parts.h"

#include <memory>

namespace cilk {

namespace detail {

/// What is reduced, one value after the other.
template <class I>
struct elements {
  cursor<I> at;
  elements from(count i) const { return {at.from(i)}; }
  decltype(auto) get() const { return *at; }
  void step() { ++at; }
};
template <class I, class Function>
struct transformed {
  cursor<I> at;
  Function *function;
  transformed from(count i) const { return {at.from(i), function}; }
  decltype(auto) get() const { return (*function)(*at); }
  void step() { ++at; }
};
template <class I, class J, class Function>
struct transformed_pairs {
  cursor<I> at;
  cursor<J> second;
  Function *function;
  transformed_pairs from(count i) const { return {at.from(i), second.from(i), function}; }
  decltype(auto) get() const { return (*function)(*at, *second); }
  void step() {
    ++at;
    ++second;
  }
};

/// Eight values as a balanced tree: three operations one after the other, where a chain has seven.
template <class T, class Op, class Source>
T combine_eight(Op &op, Source &source) {
  T part[4];
  for (T &pair : part) {
    const T left(source.get());
    source.step();
    pair = detail::combine<T>(op, left, T(source.get()));
    source.step();
  }
  return detail::combine<T>(op, detail::combine<T>(op, part[0], part[1]),
                            detail::combine<T>(op, part[2], part[3]));
}

/// The result of `n` > 0 values, in one strand.
template <class T, class Op, class Source>
T reduce_block(Op &op, Source source, count n) {
  if constexpr (std::is_floating_point_v<T>) {
    if (n >= 8) {
      T result = detail::combine_eight<T>(op, source);
      for (n -= 8; n >= 8; n -= 8)
        result = detail::combine<T>(op, result, detail::combine_eight<T>(op, source));
      for (; n > 0; --n, source.step()) result = detail::combine<T>(op, result, source.get());
      return result;
    }
  }
  // Begins with the identity, so that vector loads begin with the first element.
  using element = std::decay_t<decltype(source.get())>;
  if constexpr (std::is_integral_v<T> && std::is_integral_v<element> && !std::is_same_v<T, bool> &&
                is_standard_operation_v<Op, T>) {
    T result = cilk::identity_value<T>(op);
    for (; n > 0; --n, source.step()) result = detail::combine<T>(op, result, source.get());
    return result;
  }
  T result(source.get());
  while (--n > 0) {
    source.step();
    result = detail::combine<T>(op, std::move(result), source.get());
  }
  return result;
}

/// What reduce_tree hands on.
template <class Op, class Source>
struct reduction {
  Op &op;
  Source source;
  count n, block;
};

/// The result of the blocks in [low, high).
template <class T, class Op, class Source>
T reduce_tree(const reduction<Op, Source> &all, count low, count high) {
  if (high - low == 1) {
    const count begin = low * all.block;
    const count rest = all.n - begin;
    return detail::reduce_block<T>(all.op, all.source.from(begin),
                                   rest < all.block ? rest : all.block);
  }
  const count middle = low + (high - low) / 2;
  T left = cilk_spawn detail::reduce_tree<T>(all, low, middle);
  T right = detail::reduce_tree<T>(all, middle, high);
  cilk_sync;
  return detail::combine<T>(all.op, std::move(left), std::move(right));
}

template <class T, class Op, class Source>
T reduce(Source source, count n, T initial, Op &op, bool cheap) {
  if (n <= 0) return initial;
  // An element takes 0.03 ns where it is cheap: in blocks of 4096 the spawns would show.
  const count block = cheap ? 16384 : block_size_for(n, false);
  const reduction<Op, Source> all{op, source, n, block};
  return detail::combine<T>(op, std::move(initial),
                            detail::reduce_tree<T>(all, 0, blocks_of(n, block)));
}

}  // namespace detail

/// initial op first[0] op first[1] op ..., as a T. `op` is associative: a function of two values,
/// or a monoid of <cilk/monoid.h>. An element converts to T.
template <class I, class T, class Op = std::plus<>, detail::if_iterator<I> = 0>
T reduce(I first, I last, T initial, Op op = Op{}) {
  detail::check_read<I>();
  return detail::reduce(detail::elements<I>{first}, static_cast<detail::count>(last - first),
                        std::move(initial), op, detail::is_cheap_v<Op, T>);
}
/// The sum, beginning with a value-initialized element.
template <class I, detail::if_iterator<I> = 0>
detail::value_of<I> reduce(I first, I last) {
  return cilk::reduce(first, last, detail::value_of<I>{});
}
template <class R, class T, class Op = std::plus<>, detail::if_range<R> = 0>
T reduce(R &&range, T initial, Op op = Op{}) {
  return cilk::reduce(detail::begin_of(range), detail::end_of(range), std::move(initial),
                      std::move(op));
}
template <class R, detail::if_range<R> = 0>
detail::value_of<detail::iterator_of<R>> reduce(R &&range) {
  return cilk::reduce(range, detail::value_of<detail::iterator_of<R>>{});
}

/// initial op function(first[0]) op function(first[1]) op ...
template <class From, class Last, class T, class Op, class Function,
          detail::if_iterators<From, Last> = 0>
T transform_reduce(From &&first, Last &&last, T initial, Op op, Function function) {
  using I = std::decay_t<From>;
  detail::check_read<I>();
  return detail::reduce(detail::transformed<I, Function>{first, std::addressof(function)},
                        static_cast<detail::count>(last - first), std::move(initial), op, false);
}
template <class R, class T, class Op, class Function, detail::if_range<R> = 0>
T transform_reduce(R &&range, T initial, Op op, Function function) {
  return cilk::transform_reduce(detail::begin_of(range), detail::end_of(range), std::move(initial),
                                std::move(op), std::move(function));
}

/// initial op function(first[0], second[0]) op ... The second range is at least as long as the
/// first.
template <class I, class J, class T, class Op, class Function, detail::if_iterator<I> = 0,
          detail::if_iterator<J> = 0>
T transform_reduce(I first, I last, J second, T initial, Op op, Function function) {
  detail::check_read<I>();
  detail::check_read<J>();
  constexpr bool cheap = detail::is_cheap_v<Op, T> && detail::is_standard_operation_v<Function, T>;
  return detail::reduce(
      detail::transformed_pairs<I, J, Function>{first, second, std::addressof(function)},
      static_cast<detail::count>(last - first), std::move(initial), op, cheap);
}
template <class R, class S, class T, class Op, class Function, detail::if_range<R> = 0,
          detail::if_range<S> = 0>
T transform_reduce(R &&range, S &&second, T initial, Op op, Function function) {
  return cilk::transform_reduce(detail::begin_of(range), detail::end_of(range),
                                detail::begin_of(second), std::move(initial), std::move(op),
                                std::move(function));
}
/// The inner product: with std::plus and std::multiplies.
template <class I, class J, class T, detail::if_iterator<I> = 0, detail::if_iterator<J> = 0>
T transform_reduce(I first, I last, J second, T initial) {
  return cilk::transform_reduce(first, last, second, std::move(initial), std::plus<>{},
                                std::multiplies<>{});
}
template <class R, class S, class T, detail::if_range<R> = 0, detail::if_range<S> = 0>
T transform_reduce(R &&range, S &&second, T initial) {
  return cilk::transform_reduce(range, second, std::move(initial), std::plus<>{},
                                std::multiplies<>{});
}

/// How many elements the predicate holds for.
template <class I, class Predicate, detail::if_iterator<I> = 0>
detail::difference_of<I> count_if(I first, I last, Predicate predicate) {
  detail::check_read<I>();
  // Whole numbers add up to the same in any order, so the loop may choose its own leaves: a
  // predicate can take less time than a spawn, or far more. No branch, so that a block becomes
  // vectors, and it begins where these are aligned.
  reducer<detail::count, std::plus<>> total;
  const auto n = static_cast<detail::count>(last - first);
  const detail::count part = detail::block_size_for(n, false);
  const detail::count block = part < 32 ? part : (part + 63) / 64 * 64;
  cilk_for (detail::count k = 0; k < detail::blocks_of(n, block); ++k) {
    detail::cursor<I> at(first + k * block);
    detail::count here = 0;
    for (detail::count left = std::min(block, n - k * block); left > 0; --left, ++at)
      here += predicate(*at) ? 1 : 0;
    *total += here;
  }
  return static_cast<detail::difference_of<I>>(*total);
}
template <class R, class Predicate, detail::if_range<R> = 0>
auto count_if(R &&range, Predicate predicate) {
  return cilk::count_if(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}

}  // namespace cilk

#endif
