// Exercises: sums by the thread's index, and how many there are.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 10000;
  std::vector<long> part(tbb::this_task_arena::max_concurrency());
  tbb::parallel_for(0, n,
                    [&](int i) { part.at(tbb::this_task_arena::current_thread_index()) += i; });
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int> &range) {
    for (int i = range.begin(); i != range.end(); ++i)
      part.at(tbb::this_task_arena::current_thread_index()) += 1;
  });
  long total = 0;
  for (long one : part) total += one;
  std::printf("%ld\n", total);
}
