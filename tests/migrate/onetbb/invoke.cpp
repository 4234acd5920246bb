// tbb::parallel_invoke with two lambdas, with four lambdas, with function pointers, recursively.
#include <tbb/parallel_invoke.h>

#include <cstdio>
#include <numeric>
#include <vector>

static std::vector<long> squares(1000), cubes(1000);

static void fill_squares() {
  for (long i = 0; i < 1000; ++i) squares[i] = i * i;
}

static void fill_cubes() {
  for (long i = 0; i < 1000; ++i) cubes[i] = i * i * i;
}

static long range_sum(const long *first, const long *last) {
  if (last - first <= 32) return std::accumulate(first, last, 0L);
  const long *middle = first + (last - first) / 2;
  long left, right;
  tbb::parallel_invoke([&] { left = range_sum(first, middle); },
                       [&] { right = range_sum(middle, last); });
  return left + right;
}

int main() {
  tbb::parallel_invoke(&fill_squares, fill_cubes);

  const long *s = squares.data(), *c = cubes.data();
  long quarters[4] = {};
  tbb::parallel_invoke([&] { quarters[0] = range_sum(s, s + 500); },
                       [&] { quarters[1] = range_sum(s + 500, s + 1000); },
                       [&] { quarters[2] = range_sum(c, c + 500); },
                       [&, scale = 2L] {
                         const long sum = range_sum(c + 500, c + 1000);
                         quarters[3] = scale * sum;
                       });
  std::printf("%ld %ld %ld %ld\n", quarters[0], quarters[1], quarters[2], quarters[3]);
  return 0;
}
