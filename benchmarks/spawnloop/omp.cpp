// spawnloop with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void solve(Children &input) {
  for (long i = 0; i < input.n; ++i) {
#pragma omp task shared(input) firstprivate(i)
    child(i, &input.sum);
  }
#pragma omp taskwait
}

BENCHMARK(Children, solve)
