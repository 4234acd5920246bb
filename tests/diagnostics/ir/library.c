// A library function that Clang knows is called, not compiled in place.
// RUN: %cilk_c_ir -std=c17 %s | FileCheck %s
#include <cilk/cilk.h>
double sqrt(double);
void *memset(void *, int, __SIZE_TYPE__);
int printf(const char *, ...);

// CHECK-LABEL: define {{.*}} @library
double library(char *p) {
  // CHECK: call {{.*}} @sqrt({{.*}}) #[[SPAWN:[0-9]+]]
  double root = cilk_spawn sqrt(2.0);
  // CHECK: call {{.*}} @memset({{.*}}) #[[SPAWN]]
  cilk_spawn memset(p, 0, 10);
  // CHECK: call {{.*}} @printf({{.*}}) #[[SPAWN]]
  cilk_spawn printf("%s\n", p);
  cilk_sync;
  return root;
}
// CHECK: attributes #[[SPAWN]] = {{{.*}}coro_elide_safe
