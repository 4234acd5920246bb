/* Loops over all ranks: cluster_for and cluster_reduce.
 *
 * Included by <cilk/cluster.h>, which see. Guide: docs/cluster.md. Checked by tests/cluster.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_LOOPS_H
#define CILK_CLUSTER_LOOPS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "cluster.h"
#include "monoid.h"

namespace cilk {

namespace detail {

/// The values of disjoint ranges of iterations, which are numbered from 0, in order. Neighbours are
/// folded as soon as both are there, so it is long only while ranges between them are missing.
template <class T, class Op>
class cluster_values {
 public:
  struct piece {
    std::uint64_t begin, end;
    T value;
    void save(wire &out) const {
      cilk::put(out, begin);
      cilk::put(out, end);
      cilk::put(out, value);
    }
    void load(wire &in) {
      cilk::get(in, begin);
      cilk::get(in, end);
      cilk::get(in, value);
    }
  };

  /// The value of the range that ends at `begin`, to be extended to `end`.
  T &extend(std::uint64_t begin, std::uint64_t end) {
    auto next =
        std::lower_bound(pieces_.begin(), pieces_.end(), begin,
                         [](const piece &each, std::uint64_t at) { return each.begin < at; });
    if (next != pieces_.begin() && std::prev(next)->end == begin) {
      std::prev(next)->end = end;
      return std::prev(next)->value;
    }
    return pieces_.insert(next, {begin, end, cilk::identity_value<T>(Op())})->value;
  }
  void merge(cluster_values &other) {
    std::vector<piece> all;
    all.reserve(pieces_.size() + other.pieces_.size());
    std::merge(std::make_move_iterator(pieces_.begin()), std::make_move_iterator(pieces_.end()),
               std::make_move_iterator(other.pieces_.begin()),
               std::make_move_iterator(other.pieces_.end()), std::back_inserter(all),
               [](const piece &a, const piece &b) { return a.begin < b.begin; });
    pieces_.clear();
    for (piece &each : all) {
      if (!pieces_.empty() && pieces_.back().end == each.begin) {
        const Op op{};
        cilk::reduce_values(op, pieces_.back().value, each.value);
        pieces_.back().end = each.end;
      } else {
        pieces_.push_back(std::move(each));
      }
    }
  }
  /// All ranges are there.
  T take() {
    return pieces_.empty() ? cilk::identity_value<T>(Op()) : std::move(pieces_.front().value);
  }
  void save(wire &out) const { cilk::put(out, pieces_); }
  void load(wire &in) { cilk::get(in, pieces_); }

 private:
  std::vector<piece> pieces_;
};

/// A set of ranges of a loop, in no order. The last one is worked on. The body is the same on all
/// ranks and does not travel; it is found where the loop of this process left it.
template <class Body, class Values>
class cluster_ranges {
 public:
  using result_type = Values;
  struct range {
    std::uint64_t begin, end;
  };
  inline static const Body *body = nullptr;

  cluster_ranges() = default;
  cluster_ranges(std::uint64_t begin, std::uint64_t end) {
    if (begin < end) ranges_.push_back({begin, end});
  }
  bool empty() const { return ranges_.empty(); }
  std::size_t process(std::size_t steps, Values &values) {
    range &last = ranges_.back();
    const std::uint64_t count = std::min<std::uint64_t>(steps, last.end - last.begin);
    const std::uint64_t begin = last.begin, end = begin + count;
    auto &value = values.extend(begin, end);
    for (std::uint64_t i = begin; i < end; ++i) (*body)(i, value);
    last.begin = end;
    if (last.begin == last.end) ranges_.pop_back();
    return static_cast<std::size_t>(count);
  }
  cluster_ranges split() {
    cluster_ranges half;
    if (ranges_.size() > 1) {
      const auto middle = ranges_.begin() + static_cast<std::ptrdiff_t>(ranges_.size() / 2);
      half.ranges_.assign(ranges_.begin(), middle);
      ranges_.erase(ranges_.begin(), middle);
    } else if (!ranges_.empty() && ranges_[0].end - ranges_[0].begin > 1) {
      const std::uint64_t middle = ranges_[0].begin + (ranges_[0].end - ranges_[0].begin + 1) / 2;
      half.ranges_.push_back({middle, ranges_[0].end});
      ranges_[0].end = middle;
    }
    return half;
  }
  void merge(cluster_ranges other) {
    // What was begun stays the last.
    ranges_.insert(ranges_.begin(), other.ranges_.begin(), other.ranges_.end());
  }
  static void reduce(Values &left, Values &right) { left.merge(right); }
  void save(wire &out) const { cilk::put(out, ranges_); }
  void load(wire &in) { cilk::get(in, ranges_); }

 private:
  std::vector<range> ranges_;
};

struct cluster_nothing {
  bool identity() const { return true; }
  void reduce(bool &, bool &) const {}
};

}  // namespace detail

/// Collective. Calls `body(i, value)` for each i of [first, last) on some rank, which adds to
/// `value`, and returns on each rank the value that the serial loop would leave, for any number of
/// ranks and workers. Op: a monoid on T (<cilk/monoid.h>) without state; it need not be
/// commutative. `first`, `last` and `body` must be the same on all ranks. Each rank begins with its
/// share of the range.
template <class T, class Op, class Integer, class Body>
T cluster_for(cluster &ranks, Integer first, Integer last, Body body, Op = {}) {
  static_assert(std::is_integral_v<Integer> && sizeof(Integer) <= 8,
                "cluster_for runs over integers");
  static_assert(is_monoid_v<Op, T>, "Op is not a monoid on T: see <cilk/monoid.h>");
  static_assert(std::is_empty_v<Op>, "a monoid with state cannot be used on other ranks");
  static_assert(std::is_default_constructible_v<T>,
                "a value that travels is made before it is read");
  // Modulo 2^64, so that no range is too wide.
  const auto begin = static_cast<std::uint64_t>(first);
  const auto iteration = [&body, begin](std::uint64_t number, T &value) {
    body(static_cast<Integer>(begin + number), value);
  };
  using bag = detail::cluster_ranges<decltype(iteration), detail::cluster_values<T, Op>>;
  const auto size = last > first ? static_cast<std::uint64_t>(last) - begin : 0;
  const auto count = static_cast<std::uint64_t>(ranks.size());
  const auto share = [&](std::uint64_t rank) {
    return size / count * rank + std::min(rank, size % count);
  };
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  bag::body = &iteration;
  const std::uint64_t arguments = begin * 0x9e3779b97f4a7c15 + size * 0xc2b2ae3d27d4eb4f;
  return detail::cluster_run<bag>(ranks, bag(share(rank), share(rank + 1)), arguments)
      .result()
      .take();
}

/// Collective. Calls `body(i)` for each i of [first, last) on some rank.
template <class Integer, class Body>
void cluster_for(cluster &ranks, Integer first, Integer last, Body body) {
  cluster_for<bool, detail::cluster_nothing>(ranks, first, last,
                                             [&body](Integer i, bool &) { body(i); });
}

/// Collective. The fold of `map(i)` over [first, last) from left to right, on each rank.
template <class T, class Op, class Integer, class Map>
T cluster_reduce(cluster &ranks, Integer first, Integer last, Map map, Op op = {}) {
  return cluster_for<T, Op>(
      ranks, first, last,
      [&map](Integer i, T &value) {
        T next = map(i);
        cilk::reduce_values(Op(), value, next);
      },
      op);
}

}  // namespace cilk

#endif
