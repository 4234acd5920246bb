// A spawn that only the handler of a sync reaches, where no child is outstanding at that sync. The
// split erased the sync, the handler with it, and then used a spawn in a deleted block.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

NOINLINE long child(long n) {
  linger();
  return n + 1;
}

NOINLINE long parent(bool spawns) {
  try {
    if (spawns || 10 % 4 != 0) return 10;
    long x = cilk_spawn child(1);  // matrix: never (it is not reached)
    cilk_sync;
    return x;
  } catch (...) {
  }
  long y = cilk_spawn child(2);  // matrix: never (nor is this)
  long z = child(3);
  cilk_sync;
  return y + z;
}

}  // namespace

int main() {
  long x = cilk_spawn child(3);
  long y = parent(false), z = parent(true);
  cilk_sync;
  printf("%ld %ld %ld\n", x, y, z);
  return 0;
}
