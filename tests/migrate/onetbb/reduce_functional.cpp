// tbb::parallel_reduce, functional form: std::plus<>(), a lambda join, and max.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <vector>

int main() {
  std::vector<int> v(50000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = int((i * 7919 + 13) % 100003) - 50000;
  // keeps: a range that has a name, of which begin() and end() are asked
  const tbb::blocked_range<std::size_t> all(0, v.size());

  const long sum = tbb::parallel_reduce(
      all, 0L,
      [&](const auto &r, long acc) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) acc += v[i];
        return acc;
      },
      std::plus<>());

  const unsigned hash = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, int(v.size()), 128), 0u,
      [&](const tbb::blocked_range<int> &r, unsigned acc) -> unsigned {
        for (int i = r.begin(); i != r.end(); ++i)
          acc ^= unsigned(v[i]) * 2654435761u + unsigned(i);
        return acc;
      },
      [](unsigned a, unsigned b) { return a ^ b; });

  const int largest = tbb::parallel_reduce(
      all, std::numeric_limits<int>::min(),
      [&](const auto &r, int best) {
        for (std::size_t i = r.begin(), e = r.end(); i < e; ++i) best = std::max(best, v[i]);
        return best;
      },
      [](int a, int b) { return std::max(a, b); });

  std::printf("sum %ld hash %08x max %d\n", sum, hash, largest);
  return 0;
}
