// heat with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void update(const double *from, double *to, long low, long high) {
  if (high - low <= kFewRows) {
    update_rows(from, to, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
  tbb::task_group group;
  group.run([=] { update(from, to, low, middle); });
  update(from, to, middle, high);
  group.wait();
}

BENCHMARK(Plate, solve)
