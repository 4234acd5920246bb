// Bounds that bind more weakly than a comparison, and a body that has its own `index`.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdio>

int a[1000];

int main(int count, char **) {
  const bool is_big = count == 1;
  const unsigned n = 77;
  std::atomic<int> index{0};
  tbb::parallel_for(0, is_big ? 100 : 10, [&](int i) { a[i] = i; });
  tbb::parallel_for(tbb::blocked_range<unsigned>(0u, n & 63u),
                    [&](const tbb::blocked_range<unsigned> &r) {
                      for (unsigned i = r.begin(); i != r.end(); ++i) a[i] += 1;
                    });
  tbb::parallel_for(0u, n | 2u, [&](unsigned i) { a[i] += 1; });
  tbb::parallel_for(0, 100, [&](int) { ++index; });
  long sum = 0;
  for (const int one : a) sum += one;
  std::printf("%ld %d\n", sum, index.load());
}
