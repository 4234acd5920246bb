// skynet with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

static long skynet(long first, long leaves) {
  if (leaves == 1) return first;
  long sums[kChildren];
  const long part = leaves / kChildren;
  for (int i = 0; i < kChildren; ++i) sums[i] = cilk_spawn skynet(first + i * part, part);
  cilk_sync;
  return sum_of(sums);
}

static void solve(Skynet &input) { input.sum = skynet(0, input.leaves); }

BENCHMARK(Skynet, solve)
