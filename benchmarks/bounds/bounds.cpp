// Programs whose work and span are known, counted in units: a unit is one leaf, one element, or one
// node of the tree.
//
//   bounds tree DEPTH · skewed DEPTH · sum GRAIN · mergesort SIZE · parallel_merge SIZE
//
// Prints `work`, `span` (both in units), `seconds`, and of the same interval `steals`, `attempts`,
// `searching` (seconds of all workers in search of work) and `parks`. The result is checked here.
#include <cilk/cilk.h>
#include <cilk/statistics.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr long kSumElements = 1L << 22;
constexpr long kRun = 1024;

__attribute__((noinline)) long unit(long x) {
  for (int i = 0; i < 100; ++i) x = x * 6364136223846793005L + 1;
  asm volatile("" : "+r"(x));
  return 1;
}

__attribute__((noinline)) long tree(long depth) {
  if (depth == 0) return unit(depth);
  long a = cilk_spawn tree(depth - 1);
  long b = tree(depth - 1);
  cilk_sync;
  return a + b;
}

/// Each level has a leaf beside it that takes ten units.
__attribute__((noinline)) long ten(long x) {
  long sum = 0;
  for (int i = 0; i < 10; ++i) sum += unit(x + i);
  return sum;
}
__attribute__((noinline)) long skewed(long depth) {
  if (depth == 0) return 1;
  long below = cilk_spawn skewed(depth - 1);
  long beside = ten(depth);
  cilk_sync;
  return below + beside;
}

__attribute__((noinline)) std::uint64_t sum(const std::uint32_t *data, long n, long grain) {
  if (n <= grain) {
    std::uint64_t total = 0;
    for (long i = 0; i < n; ++i) total += data[i];
    return total;
  }
  std::uint64_t a = cilk_spawn sum(data, n / 2, grain);
  std::uint64_t b = sum(data + n / 2, n - n / 2, grain);
  cilk_sync;
  return a + b;
}

using Numbers = std::vector<std::uint32_t>;

__attribute__((noinline)) void merge(const std::uint32_t *a, long na, const std::uint32_t *b,
                                     long nb, std::uint32_t *to, bool is_parallel) {
  if (!is_parallel || na + nb <= kRun) {
    std::merge(a, a + na, b, b + nb, to);
    return;
  }
  if (na < nb) {
    std::swap(a, b);
    std::swap(na, nb);
  }
  const long ha = na / 2;
  const long hb = std::lower_bound(b, b + nb, a[ha]) - b;
  cilk_spawn merge(a, ha, b, hb, to, is_parallel);
  merge(a + ha, na - ha, b + hb, nb - hb, to + ha + hb, is_parallel);
  cilk_sync;
}

__attribute__((noinline)) void sort(std::uint32_t *data, std::uint32_t *other, long n,
                                    bool into_other, bool is_parallel) {
  if (n <= kRun) {
    std::sort(data, data + n);
    if (into_other) std::copy(data, data + n, other);
    return;
  }
  const long half = n / 2;
  cilk_spawn sort(data, other, half, !into_other, is_parallel);
  sort(data + half, other + half, n - half, !into_other, is_parallel);
  cilk_sync;
  const std::uint32_t *from = into_other ? data : other;
  merge(from, half, from + half, n - half, into_other ? other : data, is_parallel);
}

double levels(double n) { return std::max(1.0, std::log2(n)); }

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return std::fprintf(stderr, "usage: bounds tree|skewed|sum|mergesort|parallel_merge NUMBER\n"),
           2;
  const char *program = argv[1];
  const long n = std::atol(argv[2]);
  double work = 0, span = 0;
  bool is_right = false;
  const bool is_sort =
      std::strcmp(program, "mergesort") == 0 || std::strcmp(program, "parallel_merge") == 0;
  const bool is_sum = std::strcmp(program, "sum") == 0;
  Numbers data(static_cast<std::size_t>(is_sort ? n : is_sum ? kSumElements : 0));
  Numbers other(is_sort ? data.size() : 0);
  std::uint32_t x = 1;
  for (std::uint32_t &d : data) d = x = x * 1664525u + 1013904223u;
  tree(2);  // the runtime starts
  const cilk::worker_statistics before = cilk::read_statistics().total;
  const auto begin = std::chrono::steady_clock::now();
  if (std::strcmp(program, "tree") == 0) {
    is_right = tree(n) == 1L << n;
    work = std::pow(2.0, static_cast<double>(n));
    span = static_cast<double>(n) + 1;
  } else if (std::strcmp(program, "skewed") == 0) {
    is_right = skewed(n) == 10 * n + 1;
    work = 10.0 * static_cast<double>(n);
    span = static_cast<double>(n) + 10;
  } else if (is_sum) {
    std::uint64_t expected = 0;
    is_right = true;
    for (int i = 0; i < 8; ++i) expected = sum(data.data(), kSumElements, n);
    is_right = expected == sum(data.data(), kSumElements, kSumElements);
    work = 8.0 * kSumElements;
    span = 8 * (static_cast<double>(std::min(n, kSumElements)) +
                levels(static_cast<double>(kSumElements) / static_cast<double>(n)));
  } else if (is_sort) {
    const bool is_parallel = std::strcmp(program, "parallel_merge") == 0;
    sort(data.data(), other.data(), n, false, is_parallel);
    is_right = std::is_sorted(data.begin(), data.end());
    const auto size = static_cast<double>(n);
    work = size * levels(size);
    span = kRun * levels(kRun) +
           (is_parallel ? levels(size / kRun) * (kRun + levels(size) * levels(size)) : 2 * size);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const cilk::worker_statistics after = cilk::read_statistics().total;
  std::printf("work %.0f\nspan %.0f\nseconds %.9f\n", work, span, seconds);
  std::printf("steals %llu\nattempts %llu\nsearching %.9f\nparks %llu\n",
              static_cast<unsigned long long>(after.steals - before.steals),
              static_cast<unsigned long long>(after.steal_attempts - before.steal_attempts),
              1e-9 * static_cast<double>(after.stealing_ns - before.stealing_ns),
              static_cast<unsigned long long>(after.parks - before.parks));
  return is_right ? 0 : 1;
}
