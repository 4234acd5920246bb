// Exercises: omp_get_max_threads, omp_get_thread_num for a per-thread array, omp_get_wtime.
#include <omp.h>

#include <cstdio>
#include <numeric>
#include <vector>

struct alignas(64) Slot {
  long sum = 0;
  int hits = 0;
};

int main() {
  const int n = 5000;
  const double start = omp_get_wtime();
  std::vector<Slot> slots(omp_get_max_threads());
  std::vector<std::vector<int>> local(omp_get_max_threads());

#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const int me = omp_get_thread_num();
    slots[me].sum += i % 13;
    slots[me].hits += 1;
    if (i % 500 == 7) local[me].push_back(i);
  }

  long sum = 0;
  int hits = 0;
  long found = 0;
  for (const Slot &s : slots) {
    sum += s.sum;
    hits += s.hits;
  }
  for (const auto &v : local) found += std::accumulate(v.begin(), v.end(), 0L);
  const double seconds = omp_get_wtime() - start;
  std::printf("sum %ld hits %d found %ld\n", sum, hits, found);
  std::printf("time ok %d\n", seconds >= 0.0 && seconds < 60.0);
  return 0;
}
