// tbb::enumerable_thread_specific as scratch space only: a std::vector buffer per thread.
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  const int n = 4000, radius = 4;
  std::vector<int> signal(n), median(n), distinct(n);
  for (int i = 0; i < n; ++i) signal[i] = (i * 733 + i % 7 * 91) % 512;

  tbb::enumerable_thread_specific<std::vector<int>> buffers;
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const auto &r) {
    std::vector<int> &window = buffers.local();
    for (int i = r.begin(); i != r.end(); ++i) {
      const int first = std::max(0, i - radius), last = std::min(n, i + radius + 1);
      window.assign(signal.begin() + first, signal.begin() + last);
      std::sort(window.begin(), window.end());
      median[i] = window[window.size() / 2];
    }
  });

  tbb::enumerable_thread_specific<std::vector<int>> marks(std::vector<int>(16, 0));
  tbb::parallel_for(0, n, [&](int i) {
    auto &seen = marks.local();
    std::fill(seen.begin(), seen.end(), 0);
    for (int k = i; k < std::min(n, i + 10); ++k) seen[median[k] % 16] = 1;
    distinct[i] = int(std::count(seen.begin(), seen.end(), 1));
  });

  long a = 0, b = 0;
  for (int i = 0; i < n; ++i) {
    a += long(median[i]) * (i % 29);
    b += long(distinct[i]) * (i % 31);
  }
  std::printf("median %ld distinct %ld\n", a, b);
}
