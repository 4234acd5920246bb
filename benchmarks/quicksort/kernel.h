// quicksort: `size` numbers, the left part a spawn, down to 32 numbers.
#ifndef BENCHMARKS_QUICKSORT_KERNEL_H
#define BENCHMARKS_QUICKSORT_KERNEL_H

#include <algorithm>
#include <vector>

#include "../support/program.h"

using Number = std::uint32_t;
constexpr long kSerial = 32;

/// Moves numbers below the median of three to the front; both parts are shorter than the whole. Returns where the second begins.
inline Number *divide(Number *begin, Number *end) {
  const Number a = *begin, b = begin[(end - begin) / 2], c = end[-1];
  const Number pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  Number *const middle = std::partition(begin, end, [pivot](Number x) { return x < pivot; });
  if (middle != begin) return middle;
  return std::partition(begin, end, [pivot](Number x) { return x <= pivot; });  // all of the first part are equal
}

struct Sort {
  explicit Sort(long size) : data(static_cast<std::size_t>(size)) {
    for (std::size_t i = 0; i < data.size(); ++i) sum += data[i] = static_cast<Number>(bench::mixed(i));
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

#endif
