// tbb::parallel_reduce with a struct value, tbb::parallel_deterministic_reduce with ordered join.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

struct Stats {
  long count = 0;
  long sum = 0;
  int low = 1 << 30;
  int high = -(1 << 30);
};

static int value(int i) { return (i * 7001 + 29) % 9973 - 5000; }

int main() {
  const int n = 40000;
  const Stats stats = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, n), Stats{},
      [](const auto &r, Stats s) {
        for (int i = r.begin(); i != r.end(); ++i) {
          const int v = value(i);
          s = Stats{s.count + 1, s.sum + v, std::min(s.low, v), std::max(s.high, v)};
        }
        return s;
      },
      [](const Stats &a, const Stats &b) {
        return Stats{a.count + b.count, a.sum + b.sum, std::min(a.low, b.low),
                     std::max(a.high, b.high)};
      });

  struct Affine {
    std::uint32_t mul, add;
  };  // associative composition, not commutative
  const auto then = [](Affine f, Affine g) { return Affine{f.mul * g.mul, f.add * g.mul + g.add}; };
  const Affine poly = tbb::parallel_deterministic_reduce(
      tbb::blocked_range<int>(0, n, 100), Affine{1, 0},
      [&](const auto &r, Affine acc) {
        for (int i = r.begin(); i != r.end(); ++i)
          acc = then(acc, Affine{31, std::uint32_t(value(i))});
        return acc;
      },
      then);

  std::printf("%ld %ld %d %d\n%08x %08x\n", stats.count, stats.sum, stats.low, stats.high, poly.mul,
              poly.add);
}
