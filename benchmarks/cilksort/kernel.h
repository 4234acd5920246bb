// cilksort: mergesort of `size` numbers in four quarters with parallel merges, serial below 2,048
// numbers.
#ifndef BENCHMARKS_CILKSORT_KERNEL_H
#define BENCHMARKS_CILKSORT_KERNEL_H

#include <algorithm>
#include <vector>

#include "../support/program.h"

using Number = std::uint32_t;
constexpr long kSerial = 2048;

/// Two sorted ranges. The longer one is cut in the middle, the other where that value belongs.
struct Halves {
  Halves(const Number *first, long first_size, const Number *second, long second_size)
      : a(first), b(second), na(first_size), nb(second_size) {
    if (na < nb) {
      std::swap(a, b);
      std::swap(na, nb);
    }
    ha = na / 2;
    hb = std::lower_bound(b, b + nb, a[ha]) - b;
  }

  const Number *a, *b;
  long na, nb, ha, hb;
};

struct Sort {
  explicit Sort(long size) : data(static_cast<std::size_t>(size)), other(data.size()) {
    for (std::size_t i = 0; i < data.size(); ++i)
      sum += data[i] = static_cast<Number>(bench::mixed(i));
  }
  std::string result() const {
    std::uint64_t now = 0;
    for (const Number number : data) now += number;
    if (now != sum || !std::is_sorted(data.begin(), data.end())) return {};
    return bench::text("%zu sorted, the middle is %u", data.size(), data[data.size() / 2]);
  }

  std::vector<Number> data, other;
  std::uint64_t sum = 0;
};

// What each variant defines.
static void sort(Number *data, Number *other, long n);

static void solve(Sort &input) {
  sort(input.data.data(), input.other.data(), static_cast<long>(input.data.size()));
}

#endif
