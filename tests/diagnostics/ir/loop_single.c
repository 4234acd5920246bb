// A cilk_for where one statement stands: after labels, as a branch, a body, a case.
// RUN: %cilk_c_ir -std=c11 %s | FileCheck %s
// RUN: %cilk_c_ir -std=c23 %s | FileCheck %s
#include <cilk/cilk.h>
void f(int);

// CHECK-LABEL: define {{.*}} @single
void single(int n) {
  // CHECK-COUNT-5: call void @__nopal_loop_begin(
  // CHECK-NOT: call void @__nopal_loop_begin(
label:
  cilk_for (int i = 0; i < n; ++i) f(i);
  if (n)
    cilk_for (int i = 0; i < n; ++i) f(i);
  else
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; ++i) f(i);
  switch (n) {
  case 1:
    cilk_for (int i = 0; i < n; ++i) f(i);
    break;
  }
  for (;;)
    cilk_for (int i = 0; i < n; ++i) f(i);
  goto label;
}
