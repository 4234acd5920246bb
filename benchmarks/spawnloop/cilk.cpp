// spawnloop with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

static void solve(Children &input) {
  for (long i = 0; i < input.n; ++i) cilk_spawn child(i, &input.sum);
  cilk_sync;
}

BENCHMARK(Children, solve)
