// The number of a thread as a key, in a program whose other threads have workers, too.
#include <omp.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <thread>
#include <vector>

long sum(const std::vector<int> &v) {
  // stays: OpenMP's threads remain
  std::vector<long> part(omp_get_max_threads());
  // stays: the program makes threads
#pragma omp parallel for
  for (int i = 0; i < int(v.size()); ++i) part[omp_get_thread_num()] += v[i];
  return part[0];
}

int slot() {
  // stays: other code stays, and this is a number of its threads
  return tbb::this_task_arena::current_thread_index();
}

void two() {
  std::vector<int> v(100, 1);
  std::thread other([&] { sum(v); });
  other.join();
}
