// Works at the leaves of a tree, for a profiler: main > calls > tree > ... > busy. Under
// CILK_CHAOS=1:1 most of the work is on segments above segments.
#include <cilk/cilk.h>

#include "../programs/support/check.h"

extern "C" NOINLINE long busy(long n) {
  volatile long sum = 0;
  for (long i = 0; i < n; ++i) sum = sum + i;
  return sum;
}

namespace {

NOINLINE long tree(long depth) {
  if (depth == 0) return busy(1000000) > 0;
  const long a = cilk_spawn tree(depth - 1);
  const long b = tree(depth - 1);
  cilk_sync;
  return a + b;
}

NOINLINE long calls(long depth) { return tree(depth) + 1; }

}  // namespace

int main() {
  CHECK_EQ(calls(7), 129);
  printf("right\n");
  return 0;
}
