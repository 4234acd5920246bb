// tbb::enumerable_thread_specific: local(), combine(std::plus<>()), lambda combine, initial value.
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
  const int n = 30000;
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = int((i * 6151L + 17) % 12289);

  tbb::enumerable_thread_specific<long> evens(0);
  tbb::enumerable_thread_specific<int> smallest(1 << 30);
  tbb::enumerable_thread_specific<unsigned> parity;

  tbb::parallel_for(0, n, [&](int i) {
    if (v[i] % 2 != 0) return;
    evens.local() += v[i];
  });

  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const auto &r) {
    int &low = smallest.local();
    for (int i = r.begin(); i != r.end(); ++i) {
      low = std::min(low, v[i] + i % 3 + 1);
      parity.local() ^= unsigned(v[i]) * unsigned(i);
    }
  });

  const long sum = evens.combine(std::plus<>());
  const int low = smallest.combine([](int a, int b) { return std::min(a, b); });
  const unsigned x = parity.combine([](unsigned a, unsigned b) { return a ^ b; });
  std::printf("evens %ld smallest %d parity %08x\n", sum, low, x);
  return 0;
}
