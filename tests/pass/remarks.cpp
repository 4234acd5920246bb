// Each spawn says what became of it, at its keyword; nothing is said if nobody asks.
// RUN: %clangxx -O2 -c %s -o /dev/null -Rpass=nopal -Rpass-missed=nopal -Rpass-analysis=nopal -fno-discard-value-names 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -c %s -o /dev/null -Rpass=nopal 2>&1 | FileCheck --check-prefix=O0 %s
// RUN: %clangxx -O2 -c %s -o /dev/null 2>&1 | count 0
#include <cilk/cilk.h>

[[noreturn]] void stop() noexcept;

// CHECK-DAG: remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: the statement is not spawned but done in place: control does not come to its end [-Rpass-missed=nopal-outline]
void never() { cilk_spawn stop(); }

// CHECK-DAG: remarks.cpp:[[#@LINE+8]]:12: remark: the child is 'fib(long) (.spawn)', which is given 1 value and the address of 1 local: {{.*}}&x{{.*}} [-Rpass-analysis=nopal-outline]
// CHECK-DAG: remarks.cpp:[[#@LINE+7]]:12: remark: 'fib(long)' has a fast and a slow clone: 1 spawn, 1 sync, frame of [[#]] bytes ([[#]] values, [[#]] variable{{s?}}) [-Rpass=nopal-split]
// O0: remarks.cpp:[[#@LINE+6]]:12: remark: 'fib(long)' has a fast and a slow clone: 1 spawn
// O0-NOT: remark:

long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
