/* cilk::inclusive_scan and cilk::exclusive_scan: all prefixes of a sequence, combined.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. The elements are divided into blocks. Each
 * result is `carry op local`: `local` combines the elements of its block so far, `carry` all blocks
 * before, from left to right. So the result does not depend on the schedule.
 *
 * A strand that reaches a pair of blocks whose carry is known writes the results at once: one pass,
 * and on one worker that is every pair, since it takes them in order. Otherwise the strand only
 * combines the elements of each block, and a second pass writes. The pairs of the first kind are a
 * prefix of all, because only they make the next carry known.
 *
 * Why pairs: a scan is a chain of operations, each of which waits for the one before. Where both
 * carries are known, and where nothing is written, the two blocks are two chains that run at once.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_SCAN_H
#define CILK_ALGORITHM_SCAN_H

#include "parts.h"

#include <memory>
#include <optional>

namespace cilk {

namespace detail {

/// One block that is scanned, step by step.
template <class T, bool kInclusive, bool kExact, class I, class Out, class Op>
struct scan_chain {
  Op &op;
  cursor<I> at;
  cursor<Out> to;
  const T *carry;  // null if there is nothing before
  T local;         // kExact: `carry` is a part of it

  /// The first element.
  scan_chain(Op &o, I from, Out out, const T *before)
      : op(o), at(from), to(out), carry(before), local(first(o, from, before)) {
    write(before == nullptr || kExact ? local : detail::combine<T>(op, *before, local), before);
  }

  /// The next element.
  void step() {
    ++at;
    ++to;
    if constexpr (kInclusive) {
      local = detail::combine<T>(op, std::move(local), *at);
      if constexpr (kExact)
        *to = local;
      else
        *to = carry == nullptr ? local : detail::combine<T>(op, *carry, std::as_const(local));
    } else if constexpr (kExact) {
      const T before = local;
      local = detail::combine<T>(op, local, *at);
      *to = before;
    } else {
      T result = detail::combine<T>(op, *carry, std::as_const(local));
      local = detail::combine<T>(op, std::move(local), *at);
      *to = std::move(result);
    }
  }

 private:
  static T first(Op &op, I from, const T *before) {
    if (kExact && before != nullptr) return detail::combine<T>(op, *before, *from);
    return T(*from);
  }
  void write(const T &inclusive, const T *before) {
    if constexpr (kInclusive)
      *to = inclusive;
    else
      *to = *before;
  }
};

template <class T, bool kInclusive, class I, class Out, class Op>
class scan {
  /// Every order of operations has the same result, so `carry` may be where a chain begins.
  static constexpr bool kExact = std::is_integral_v<T> && is_standard_operation_v<Op, T>;
  static constexpr bool kInPairs = std::is_arithmetic_v<T>;
  using chain = scan_chain<T, kInclusive, kExact, I, Out, Op>;

 public:
  scan(I first, count n, Out out, Op &op, bool cheap)
      : first_(first),
        out_(out),
        n_(n),
        size_(block_size_for(n, cheap)),
        number_(blocks_of(n, size_)),
        blocks_(new block[static_cast<std::size_t>(number_) + 2]),
        op_(op) {}

  void run(std::optional<T> initial) {
    blocks_[0].carry = std::move(initial);
    blocks_[0].is_ready.store(true, std::memory_order_relaxed);
    const count pairs = blocks_of(number_, 2);
    each_block(0, pairs, [this](count pair) { visit(2 * pair); });
    count pair = 0;
    while (pair < pairs && blocks_[2 * pair + 2].is_ready.load(std::memory_order_relaxed)) ++pair;
    while (pair < pairs) {
      const count from = std::exchange(pair, carry_from(pair));
      if (from < pair) each_block(from, pair, [this](count each) { write_pair(2 * each); });
      if (pair < pairs) write_next(2 * pair++);
    }
  }

 private:
  struct block {
    std::optional<T> carry;  // of all blocks before; empty if there is nothing before
    std::optional<T> total;  // if the block was not written when a strand reached it
    /// Of the first block of a pair. Written by the strand that writes the pair before: then
    /// `carry` is valid.
    std::atomic<bool> is_ready{false};
  };

  count begin_of(count k) const { return k * size_; }
  count length_of(count k) const { return std::min(size_, n_ - k * size_); }
  bool has(count k) const { return k < number_; }
  const T *carry_of(count k) const {
    return blocks_[k].carry.has_value() ? std::addressof(*blocks_[k].carry) : nullptr;
  }

  void carry_on(count k, T total) {
    const T *carry = carry_of(k);
    blocks_[k + 1].carry.emplace(
        carry == nullptr ? std::move(total) : detail::combine<T>(op_, *carry, std::move(total)));
  }

  /// Whether the strand that writes the pair before has done so. The race detector runs serially,
  /// so each carry would be known, by an order that it does not see. For it only the first one is:
  /// then syncs order all accesses, and none has to be hidden from it.
  bool is_carry_known(count k) const {
#ifdef __nopal_race__
    if (k != 0) return false;
#endif
    return blocks_[k].is_ready.load(std::memory_order_acquire);
  }

  void visit(count k) {
    if (is_carry_known(k))
      write_next(k);
    else
      combine_pair(k);
  }

  /// Writes a pair whose first carry is known, in the order of the serial program.
  void write_next(count k) {
    for (const count block : {k, k + 1})
      if (has(block)) {
        T end = write(block);
        if constexpr (kExact)
          blocks_[block + 1].carry.emplace(end);
        else if (has(block + 1))
          carry_on(block, std::move(end));
      }
    blocks_[k + 2].is_ready.store(true, std::memory_order_release);
  }

  /// Hands the carry on, beginning with a pair whose carry is known. Returns the first pair which
  /// has no total, or of which an operation throws: write_next throws there what the serial program
  /// does.
  count carry_from(count pair) noexcept {
    try {
      for (; has(2 * pair) && blocks_[2 * pair].total.has_value(); ++pair)
        for (const count k : {2 * pair, 2 * pair + 1})
          if (has(k + 1)) carry_on(k, *std::move(blocks_[k].total));
    } catch (...) {
    }
    return pair;
  }

  /// Without a total for `k` if an operation throws: an operation before it may throw, too.
  void combine_pair(count k) noexcept {
    try {
      cursor<I> at(first_ + begin_of(k));
      count i = 1;
      T total(*at);
      if (has(k + 1)) {
        cursor<I> second(first_ + begin_of(k + 1));
        const count length = length_of(k + 1);
        T other(*second);
        if constexpr (kInPairs)
          for (; i < length; ++i) {
            total = detail::combine<T>(op_, total, *++at);
            other = detail::combine<T>(op_, other, *++second);
          }
        for (count j = i; j < length; ++j)
          other = detail::combine<T>(op_, std::move(other), *++second);
        blocks_[k + 1].total.emplace(std::move(other));
      }
      for (const count length = length_of(k); i < length; ++i)
        total = detail::combine<T>(op_, std::move(total), *++at);
      blocks_[k].total.emplace(std::move(total));
    } catch (...) {
    }
  }

  /// Writes the results of block `k`. Returns its total; kExact: that of all blocks so far.
  T write(count k) {
    const count length = length_of(k);
    const std::optional<T> carry(blocks_[k].carry);
    chain each(op_, first_ + begin_of(k), out_ + begin_of(k),
               carry ? std::addressof(*carry) : nullptr);
    for (count i = 1; i < length; ++i) each.step();
    return std::move(each.local);
  }

  void write_pair(count k) {
    if constexpr (kInPairs)
      if (has(k + 1) && blocks_[k].carry.has_value()) {
        const T carry = *blocks_[k].carry, next = *blocks_[k + 1].carry;
        chain first(op_, first_ + begin_of(k), out_ + begin_of(k), std::addressof(carry));
        count left = length_of(k) - 1;
        const auto after_first = [&](auto call) {
          try {
            return call();
          } catch (...) {
            for (; left > 0; --left) first.step();  // the serial program meets first what it throws
            throw;
          }
        };
        chain second = after_first([&] {
          return chain(op_, first_ + begin_of(k + 1), out_ + begin_of(k + 1), std::addressof(next));
        });
        for (count both = length_of(k + 1) - 1; both > 0; --both) {
          first.step();
          --left;
          after_first([&] { second.step(); });
        }
        for (; left > 0; --left) first.step();
        return;
      }
    (void)write(k);
    if (has(k + 1)) (void)write(k + 1);
  }

  I first_;
  Out out_;
  count n_, size_, number_;
  std::unique_ptr<block[]> blocks_;
  Op &op_;
};

template <class T, bool kInclusive, class I, class Out, class Op>
Out run_scan(I first, I last, Out out, Op &op, std::optional<T> initial) {
  check_read_twice<I>();
  check_write<Out>();
  const auto n = static_cast<count>(last - first);
  if (n <= 0) return out;
  detail::call_apart([&] {
    scan<T, kInclusive, I, Out, Op>(first, n, out, op, is_cheap_v<Op, T>).run(std::move(initial));
  });
  return out + n;
}

}  // namespace detail

/// out[i] = first[0] op ... op first[i]. `op` is associative: a function of two values, or a monoid
/// of <cilk/monoid.h>. `out` may be `first`. Returns the end of what was written.
template <class I, class Out, class Op = std::plus<>, detail::if_iterator<I> = 0,
          detail::if_iterator<Out> = 0>
Out inclusive_scan(I first, I last, Out out, Op op = Op{}) {
  return detail::run_scan<detail::value_of<I>, true>(first, last, out, op, std::nullopt);
}
/// out[i] = initial op first[0] op ... op first[i].
template <class I, class Out, class Op, class T, detail::if_iterator<I> = 0,
          detail::if_iterator<Out> = 0>
Out inclusive_scan(I first, I last, Out out, Op op, T initial) {
  return detail::run_scan<T, true>(first, last, out, op, std::optional<T>(std::move(initial)));
}
/// out[0] = initial, out[i] = initial op first[0] op ... op first[i - 1].
template <class From, class Last, class Out, class T, class Op = std::plus<>,
          detail::if_iterators<From, Last> = 0, detail::if_iterator<Out> = 0>
Out exclusive_scan(From &&first, Last &&last, Out out, T initial, Op op = Op{}) {
  return detail::run_scan<T, false, std::decay_t<From>>(first, last, out, op,
                                                        std::optional<T>(std::move(initial)));
}

template <class R, class Out, class Op = std::plus<>, detail::if_range<R> = 0,
          detail::if_iterator<Out> = 0>
Out inclusive_scan(R &&range, Out out, Op op = Op{}) {
  return cilk::inclusive_scan(detail::begin_of(range), detail::end_of(range), out, std::move(op));
}
template <class R, class Out, class Op, class T, detail::if_range<R> = 0,
          detail::if_iterator<Out> = 0>
Out inclusive_scan(R &&range, Out out, Op op, T initial) {
  return cilk::inclusive_scan(detail::begin_of(range), detail::end_of(range), out, std::move(op),
                              std::move(initial));
}
template <class R, class Out, class T, class Op = std::plus<>, detail::if_range<R> = 0,
          detail::if_iterator<Out> = 0>
Out exclusive_scan(R &&range, Out out, T initial, Op op = Op{}) {
  return cilk::exclusive_scan(detail::begin_of(range), detail::end_of(range), out,
                              std::move(initial), std::move(op));
}

}  // namespace cilk

#endif
