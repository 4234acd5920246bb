// tbb::parallel_for over blocked_range with partitioners, over iterators, and with a hoisted end.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> data(12000);
  using Iterator = std::vector<int>::iterator;

  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, data.size(), 64),
      [&](const auto &r) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) data[i] = int(i * i % 977);
      },
      tbb::simple_partitioner());

  tbb::parallel_for(tbb::blocked_range<Iterator>(data.begin(), data.end()), [](const auto &r) {
    for (Iterator it = r.begin(); it != r.end(); ++it) *it = *it * 2 + 1;
  });

  std::vector<long> result(data.size());
  tbb::parallel_for(
      tbb::blocked_range<long>(0, long(data.size())),
      [&](const auto &r) {
        for (long i = r.begin(), e = r.end(); i < e; ++i) result[i] = data[i] * (i % 5);
      },
      tbb::static_partitioner{});

  tbb::affinity_partitioner affinity;
  for (int sweep = 0; sweep < 3; ++sweep) {
    tbb::parallel_for(
        tbb::blocked_range<int>(0, int(data.size())),
        [&](const auto &r) {
          for (int i = r.begin(), e = r.end(); i < e; ++i) result[i] += sweep * data[i];
        },
        affinity);
  }

  tbb::parallel_for(0, int(data.size()), [&](int i) { result[i] -= i; }, tbb::auto_partitioner());

  long sum = 0;
  for (std::size_t i = 0; i < result.size(); ++i) sum += result[i] * long(i % 7);
  std::printf("sum %ld first %ld last %ld\n", sum, result.front(), result.back());
}
