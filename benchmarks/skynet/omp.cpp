// skynet with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static long skynet(long first, long leaves) {
  if (leaves == 1) return first;
  long sums[kChildren];
  const long part = leaves / kChildren;
  for (int i = 0; i < kChildren; ++i) {
#pragma omp task shared(sums) firstprivate(i, first, part)
    sums[i] = skynet(first + i * part, part);
  }
#pragma omp taskwait
  return sum_of(sums);
}

static void solve(Skynet &input) { input.sum = skynet(0, input.leaves); }

BENCHMARK(Skynet, solve)
