// heat with Cilk's keywords; with -DCILK_SERIAL its serial elision.
//
// matrix: args 2
// matrix: chaos-args 1
#include "../support/cilk.h"
#include "kernel.h"

static void update(const double *from, double *to, long low, long high) {
  if (high - low <= kFewRows) {
    update_rows(from, to, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
  cilk_spawn update(from, to, low, middle);
  update(from, to, middle, high);
  cilk_sync;
}

BENCHMARK(Plate, solve)
