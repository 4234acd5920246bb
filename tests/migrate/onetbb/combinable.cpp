// combinable with local() and combine(), a histogram with combine_each; `using namespace tbb;`.
#include <tbb/tbb.h>

#include <array>
#include <cstdio>
#include <functional>

using namespace tbb;

int main() {
  const int n = 40000;
  using Histogram = std::array<int, 8>;

  combinable<long> total([] { return 0L; });
  combinable<Histogram> histograms([] { return Histogram{}; });

  parallel_for(0, n, [&](int i) { total.local() += i % 11; });

  parallel_for(blocked_range<int>(0, n, 500), [&](const blocked_range<int> &r) {
    Histogram &h = histograms.local();
    for (int i = r.begin(); i != r.end(); ++i) ++h[(i * 2654435761u >> 16) % 8];
  });

  Histogram merged{};
  // stays: 'combine_each' asks for the threads' own values
  histograms.combine_each([&](const Histogram &h) {
    for (int k = 0; k < 8; ++k) merged[k] += h[k];
  });

  std::printf("total %ld\n", total.combine(std::plus<long>()));
  for (int k = 0; k < 8; ++k) std::printf("bin %d: %d\n", k, merged[k]);
  return 0;
}
