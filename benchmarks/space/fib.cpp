// Nothing but spawns: fib(size). Small frames, a balanced tree.
#include "model.h"

static long fib(long n) {
  if (n < 2) return n;
  GROUP;
  long x, y;
  SPAWN(x, fib(n - 1));
  y = fib(n - 2);
  SYNC;
  return x + y;
}

long run(long size) { return fib(size); }
