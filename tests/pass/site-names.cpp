// The name of a site needs no quotes, whatever the function's has: GNU as does not find it else.
// RUN: %clangxx -O2 -S %s -o - | FileCheck %s
// RUN: %clangxx -O2 -fno-integrated-as -c %s -o %t.o
#include <cilk/cilk.h>

long work(long);

// CHECK: .section nopal_sites,"ao",@progbits,_ZNK3__0clEv.site
long sum = [] {
  long a = cilk_spawn work(3);
  long b = work(4);
  cilk_sync;
  return a + b;
}();
