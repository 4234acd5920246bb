// A library function that Clang knows is called, not compiled in place.
// RUN: %cilk_c_ir -std=c17 %s | FileCheck %s
#include <cilk/cilk.h>
double sqrt(double);
void *memset(void *, int, __SIZE_TYPE__);
int printf(const char *, ...);

// CHECK-LABEL: define {{.*}} @library
double library(char *p) {
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @sqrt({{.*}})
  double root = cilk_spawn sqrt(2.0);
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @memset({{.*}})
  cilk_spawn memset(p, 0, 10);
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @printf({{.*}})
  cilk_spawn printf("%s\n", p);
  cilk_sync;
  return root;
}
