// A row of "From OpenCilk": its names for work and span.
// flags: -fopencilk -fnopal-span
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>

#include "rows.h"

static long fib(long n) {
  if (n < 2) return n;
  long left = cilk_spawn fib(n - 1);
  long right = fib(n - 2);
  cilk_sync;
  return left + right;
}

int main() {
  // row: `-fcilktool=cilkscale`, `wsp_getworkspan()`
  const wsp_t before = wsp_getworkspan();
  CHECK(fib(15) == 610);
  const wsp_t after = wsp_getworkspan(), between = wsp_sub(after, before);
  wsp_dump(between, "fib");
  CHECK(wsp_add(between, wsp_zero()).work > 0);
}
