// How the micro-benchmarks report single events, one in each repetition: google-benchmark prints
// their mean and median, and these functions add the least, 90 and 99 per cent, and the most.
#ifndef BENCHMARKS_SUPPORT_DISTRIBUTION_H
#define BENCHMARKS_SUPPORT_DISTRIBUTION_H

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cstddef>
#include <vector>

template <int kPerMille>
double at_rank(const std::vector<double> &values) {
  std::vector<double> sorted(values);
  std::sort(sorted.begin(), sorted.end());
  return sorted[std::min(sorted.size() - 1, sorted.size() * kPerMille / 1000)];
}

/// For BENCHMARK(...)->Apply(): the benchmark times one event itself, by SetIterationTime.
inline void events(benchmark::internal::Benchmark *benchmark) {
  benchmark->UseManualTime()->Iterations(1);
  benchmark->ComputeStatistics("least", at_rank<0>);
  benchmark->ComputeStatistics("90%", at_rank<900>);
  benchmark->ComputeStatistics("99%", at_rank<990>);
  benchmark->ComputeStatistics("most", at_rank<1000>);
}

#endif
