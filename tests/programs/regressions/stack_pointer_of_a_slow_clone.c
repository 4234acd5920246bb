/* An array of unknown length that the optimizer removes, in a block with a sync: the fast clone
 * restored the stack pointer that its slow clone had not saved. */

#include <cilk/cilk.h>

#include "../support/check.h"

static NOINLINE long child(long n) {
  linger();
  return n + 1;
}

static NOINLINE long parent(long n) {
  long x, sum;
  {
    x = cilk_spawn child(n);
    char unused[3 + n % 4];
    unused[0] = 1;
    cilk_sync;
    sum = x;
  }
  long y = cilk_spawn child(n + 1);
  cilk_sync;
  return sum + y;
}

int main(void) {
  for (long n = 0; n < 4; ++n) printf("%ld\n", parent(n));
  return 0;
}
