// Cilksort: mergesort of `size` numbers with parallel merges, down to runs of 2,048.
#include "model.h"

#include <algorithm>
#include <cstdint>
#include <vector>

using Number = std::uint32_t;
static constexpr long kRun = 2048;

static void merge(const Number *a, long na, const Number *b, long nb, Number *to) {
  if (na + nb <= kRun) {
    std::merge(a, a + na, b, b + nb, to);
    return;
  }
  if (na < nb) {
    std::swap(a, b);
    std::swap(na, nb);
  }
  const long ha = na / 2;
  const long hb = std::lower_bound(b, b + nb, a[ha]) - b;
  GROUP;
  SPAWN_VOID(merge(a, ha, b, hb, to));
  merge(a + ha, na - ha, b + hb, nb - hb, to + ha + hb);
  SYNC;
}

static void sort(Number *data, Number *other, long n, bool into_other) {
  if (n <= kRun) {
    std::sort(data, data + n);
    if (into_other) std::copy(data, data + n, other);
    return;
  }
  const long half = n / 2;
  {
    GROUP;
    SPAWN_VOID(sort(data, other, half, !into_other));
    sort(data + half, other + half, n - half, !into_other);
    SYNC;
  }
  if (into_other)
    merge(data, half, data + half, n - half, other);
  else
    merge(other, half, other + half, n - half, data);
}

long run(long size) {
  std::vector<Number> data(static_cast<std::size_t>(size));
  std::vector<Number> other(data.size());
  Number x = 1;
  for (Number &d : data) d = x = x * 1664525u + 1013904223u;
  sort(data.data(), other.data(), size, false);
  return std::is_sorted(data.begin(), data.end()) ? size : -1;
}
