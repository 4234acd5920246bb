// skynet with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static long skynet(long first, long leaves) {
  if (leaves == 1) return first;
  long sums[kChildren];
  const long part = leaves / kChildren;
  tbb::task_group group;
  for (int i = 0; i < kChildren; ++i)
    group.run([sum = &sums[i], child = first + i * part, part] { *sum = skynet(child, part); });
  group.wait();
  return sum_of(sums);
}

static void solve(Skynet &input) { input.sum = skynet(0, input.leaves); }

BENCHMARK(Skynet, solve)
