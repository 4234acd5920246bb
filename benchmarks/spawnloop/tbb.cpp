// spawnloop with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void solve(Children &input) {
  tbb::task_group group;
  for (long i = 0; i < input.n; ++i) group.run([i, &input] { child(i, &input.sum); });
  group.wait();
}

BENCHMARK(Children, solve)
