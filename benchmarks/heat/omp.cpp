// heat with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void update(const double *from, double *to, long low, long high) {
  if (high - low <= kFewRows) {
    update_rows(from, to, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
#pragma omp task
  update(from, to, low, middle);
  update(from, to, middle, high);
#pragma omp taskwait
}

BENCHMARK(Plate, solve)
