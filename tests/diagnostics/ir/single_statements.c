// A spawn where one statement stands: bodies, branches, labels and cases.
// RUN: %cilk_c_ir -std=c11 -pedantic-errors %s | FileCheck %s
// RUN: %cilk_c_ir -std=c17 -pedantic-errors %s | FileCheck %s
// RUN: %cilk_c_ir -std=c23 -pedantic-errors %s | FileCheck %s
// RUN: %cilk_c_ir -std=c17 -fexceptions %s | FileCheck %s
#include <cilk/cilk.h>
int f(int);

// CHECK-LABEL: define {{.*}} @places
void places(int n) {
  int x;
  // CHECK: if.then:
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
  // CHECK: if.else:
  // CHECK-NEXT: call void @__nopal_outer({{.*}}, ptr noundef %x)
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
  if (n)
    cilk_spawn f(1);
  else
    x = cilk_spawn f(2);
  // CHECK: while.body:
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
  // CHECK: call void @__nopal_end
  // CHECK-NEXT: br label %while.cond
  while (n--)
    _Cilk_spawn f(3);
  switch (n) {
  // CHECK: sw.bb:
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
  case 1:
    cilk_spawn f(4);
    break;
  // CHECK: sw.default:
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
  default:
    cilk_spawn f(5);
  }
  // CHECK: out:
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin
out:
  cilk_spawn f(6);
  if (x)
    goto out;
  // CHECK: {{call|invoke}} void @__nopal_sync(i32 noundef 0)
  _Cilk_sync;
  f(7);
  // CHECK: @f(i32 noundef 7)
  // CHECK: call void @__nopal_sync_cleanup(ptr noundef %__nopal_region)
  // CHECK: ret void
}
