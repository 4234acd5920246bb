// The static analyzer, with the plugin, reports nothing of what the plugin adds.
// RUN: %cilk_cxx --analyze %s -o /dev/null 2>&1 | FileCheck-22 --allow-empty %s
// CHECK-NOT: warning
#include <cilk/cilk.h>
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
long f(int);

long sum(const long *values, int n) {
  long cilk_reducer(zero, add) total = 0;
  cilk_for (int i = 0; i < n; ++i) total += values[i];
  long x = cilk_spawn f(1);
  cilk_scope { cilk_spawn f(2); }
  cilk_sync;
  return total + x;
}
