// In C the control variable may be declared before the loop: each iteration has one of its own,
// and what the serial loop leaves is stored after the leaf.
// RUN: %cilk_c_ir %s | FileCheck %s
#include <cilk/cilk.h>
void f(int);

// CHECK-LABEL: define {{.*}} @loop
// CHECK: call void @__nopal_loop_begin(
// CHECK-NOT: ptr %i,
// CHECK: store i32 %{{.*}}, ptr %[[OWN:i[0-9]+]]
// CHECK: load i32, ptr %[[OWN]]
// CHECK-NEXT: call void @f(
// CHECK: call void @__nopal_loop_end(
// CHECK: store i32 %{{.*}}, ptr %i,
// CHECK: ret void
void loop(int n) {
  int i;
  cilk_for (i = 0; i < n; i += 3) f(i);
}
