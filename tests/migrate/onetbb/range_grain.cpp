// tbb::parallel_for over blocked_range<T>: plain, with a grain size, with a local before the loop.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  const int n = 30000;
  std::vector<int> x(n), y(n);
  std::vector<long> z(n);

  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const auto &r) {
    for (int i = r.begin(); i != r.end(); ++i) x[i] = (i * 37 + 11) % 1009;
  });

  tbb::parallel_for(tbb::blocked_range<long>(0, n, 256), [&](const tbb::blocked_range<long> &r) {
    for (long i = r.begin(); i != r.end(); ++i) {
      const int left = i > 0 ? x[i - 1] : 0;
      const int right = i + 1 < n ? x[i + 1] : 0;
      y[i] = (left + 2 * x[i] + right) / 4;
    }
  });

  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, z.size(), 100), [&](const auto &r) {
    const int *source = y.data();
    const long bias = x[0];
    for (std::size_t i = r.begin(); i != r.end(); ++i) z[i] = source[i] * 3L + bias;
  });

  long sx = 0, sy = 0, sz = 0;
  for (int i = 0; i < n; ++i) {
    sx += x[i];
    sy += long(y[i]) * (i % 17);
    sz ^= z[i] * (i + 1);
  }
  std::printf("%ld %ld %ld\n", sx, sy, sz);
  return 0;
}
