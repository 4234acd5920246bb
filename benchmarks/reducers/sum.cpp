// The sum of an array, one source for all ways: -DWAY=... chooses. Prints the seconds of the best
// of `argv[2]` sums of `argv[1]` numbers, threads warm, and checks the sum.
//
//   1  cilk_for, cilk::reducer           4  oneTBB: parallel_reduce
//   2  cilk_for, an accumulator a leaf   5  oneTBB: parallel_for and combinable
//      by hand, added to an atomic       6  OpenMP: reduction clause
//   3  a serial loop                     7  oneTBB: parallel_for and enumerable_thread_specific
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#if WAY == 1 || WAY == 2
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer.h>
#elif WAY == 4 || WAY == 5 || WAY == 7
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#endif

using Number = std::uint32_t;  // so that every order has the same sum, and leaves vectorize

namespace {

__attribute__((noinline)) Number sum_of(const Number *values, long n) {
#if WAY == 1
  cilk::reducer<Number, std::plus<>> sum;
  cilk_for (long i = 0; i < n; ++i) *sum += values[i];
  return *sum;
#elif WAY == 2
  std::atomic<Number> sum{0};
  const long leaf = std::max(1L, std::min(2048L, n / (8L * __cilkrts_get_nworkers())));
#pragma cilk grainsize 1
  cilk_for (long low = 0; low < n; low += leaf) {
    Number part = 0;
    for (long i = low; i < std::min(n, low + leaf); ++i) part += values[i];
    sum.fetch_add(part, std::memory_order_relaxed);
  }
  return sum.load(std::memory_order_relaxed);
#elif WAY == 3
  Number sum = 0;
  for (long i = 0; i < n; ++i) sum += values[i];
  return sum;
#elif WAY == 4
  return tbb::parallel_reduce(
      tbb::blocked_range<long>(0, n), Number{0},
      [values](const tbb::blocked_range<long> &range, Number part) {
        for (long i = range.begin(); i < range.end(); ++i) part += values[i];
        return part;
      },
      std::plus<>());
#elif WAY == 5
  tbb::combinable<Number> sum(Number{0});
  tbb::parallel_for(tbb::blocked_range<long>(0, n),
                    [values, &sum](const tbb::blocked_range<long> &range) {
                      for (long i = range.begin(); i < range.end(); ++i) sum.local() += values[i];
                    });
  return sum.combine(std::plus<>());
#elif WAY == 6
  Number sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; ++i) sum += values[i];
  return sum;
#elif WAY == 7
  tbb::enumerable_thread_specific<Number> sum(Number{0});
  tbb::parallel_for(tbb::blocked_range<long>(0, n),
                    [values, &sum](const tbb::blocked_range<long> &range) {
                      Number &part = sum.local();
                      for (long i = range.begin(); i < range.end(); ++i) part += values[i];
                    });
  return sum.combine(std::plus<>());
#endif
}

}  // namespace

int main(int argc, char **argv) {
  const long n = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const int times = argc > 2 ? std::atoi(argv[2]) : 100;
#if WAY == 4 || WAY == 5 || WAY == 7
  const char *workers = std::getenv("WORKERS");
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    workers != nullptr ? std::strtoul(workers, nullptr, 10) : 2);
#endif
  std::vector<Number> values(static_cast<std::size_t>(n));
  Number expected = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    expected += values[i] = static_cast<Number>(i * 2654435761u);
  double best = 1e9;
  for (int time = 0; time < times; ++time) {
    const auto begun = std::chrono::steady_clock::now();
    const Number sum = sum_of(values.data(), n);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (sum != expected) return std::fputs("a wrong sum\n", stderr), 1;
    best = std::min(best, took.count());
  }
  std::printf("%.9f\n", best);
}
