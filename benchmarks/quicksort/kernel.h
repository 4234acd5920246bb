// quicksort: `size` numbers, the left part a spawn, down to 32 numbers. Ranges that take long to
// divide are divided in slices, in parallel.
#ifndef BENCHMARKS_QUICKSORT_KERNEL_H
#define BENCHMARKS_QUICKSORT_KERNEL_H

#include <algorithm>
#include <vector>

#include "../support/program.h"

using Number = std::uint32_t;
constexpr long kSerial = 32;
constexpr long kSliced = 1 << 21;  // from so many numbers on a range is divided in slices

inline Number median_of_three(const Number *begin, const Number *end) {
  const Number a = *begin, b = begin[(end - begin) / 2], c = end[-1];
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Moves numbers below the pivot to the front; both parts are shorter than the whole, since the
/// pivot is in it. Returns where the second begins.
inline Number *divide(Number *begin, Number *end, Number pivot) {
  Number *const middle = std::partition(begin, end, [pivot](Number x) { return x < pivot; });
  if (middle != begin) return middle;
  return std::partition(
      begin, end, [pivot](Number x) { return x <= pivot; });  // all of the first part are equal
}

/// A range cut into slices, which are divided in parallel. A slice has every kSlices-th block of
/// the range, so all slices find their middle at about the same place, unless the order of the
/// numbers repeats with the blocks. Only the piece between the first and the last such place is
/// left.
class Slices {
 public:
  static constexpr int kSlices = 16;

  Slices(Number *begin, Number *end)
      : begin_(begin), end_(end), pivot_(median_of_three(begin, end)) {}

  /// Different slices at once.
  void divide_slice(int slice) {
    const Number pivot = pivot_;
    const auto is_small = [pivot](Number x) { return x < pivot; };
    const auto block = [this, slice](long round) {
      return begin_ + round * kRound + slice * kBlock;
    };
    long left = 0, right = rounds();  // blocks that nobody has looked at
    Number *low = nullptr, *low_end = nullptr, *high = nullptr,
           *high_begin = nullptr;  // what is left of one block from each end
    for (;;) {
      while (low != low_end && is_small(*low)) ++low;
      while (high != high_begin && !is_small(high[-1])) --high;
      if (low != low_end && high != high_begin) {
        std::swap(*low++, *--high);
      } else if (left == right) {
        break;
      } else if (low == low_end) {
        low = block(left++);
        low_end = low + kBlock;
      } else {
        high_begin = block(--right);
        high = high_begin + kBlock;
      }
    }
    middle_round_[slice] = low != low_end ? left - 1 : left;
    std::partition(low != low_end ? low : high_begin, low != low_end ? low_end : high, is_small);
  }

  /// When all slices are divided: the same as `divide` of the whole range.
  Number *divide_rest() const {
    const auto [least, most] =
        std::minmax_element(std::begin(middle_round_), std::end(middle_round_));
    Number *const first = begin_ + *least * kRound, *const last = std::min(
                                                        begin_ + (*most + 1) * kRound, end_);
    const Number pivot = pivot_;
    const auto is_small = [pivot](Number x) { return x < pivot; };
    Number *middle = std::partition(first, last, is_small);
    for (Number *number = std::max(last, begin_ + rounds() * kRound); number != end_;
         ++number)  // after the last whole round
      if (is_small(*number)) std::swap(*number, *middle++);
    return middle != begin_ ? middle : divide(begin_, end_, pivot);
  }

 private:
  static constexpr long kBlock = 4096,
                        kRound = kSlices * kBlock;  // a block of each slice is a round

  long rounds() const { return (end_ - begin_) / kRound; }

  Number *begin_, *end_;
  Number pivot_;
  long middle_round_[kSlices];
};

struct Sort {
  explicit Sort(long size) : data(static_cast<std::size_t>(size)) {
    for (std::size_t i = 0; i < data.size(); ++i)
      sum += data[i] = static_cast<Number>(bench::mixed(i));
  }
  std::string result() const {
    std::uint64_t now = 0;
    for (const Number number : data) now += number;
    if (now != sum || !std::is_sorted(data.begin(), data.end())) return {};
    return bench::text("%zu sorted, the middle is %u", data.size(), data[data.size() / 2]);
  }

  std::vector<Number> data;
  std::uint64_t sum = 0;
};

// What each variant defines.
static void sort(Number *begin, Number *end);

static void solve(Sort &input) { sort(input.data.data(), input.data.data() + input.data.size()); }

#endif
