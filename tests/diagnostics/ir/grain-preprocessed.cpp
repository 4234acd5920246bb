// A preprocessed file has the macros of a grain expanded, and nothing else of the pragmas changed.
// RUN: %cilk_cxx -E %s | FileCheck %s
// RUN: %cilk_cxx -E %s -o %t.ii
// RUN: %cilk_cxx_ir -fno-exceptions %t.ii | FileCheck --check-prefix=IR %s
// RUN: %cilk_cxx -E -frewrite-includes %s -o %t.rewritten.cpp
// RUN: %cilk_cxx_ir -fno-exceptions %t.rewritten.cpp | FileCheck --check-prefix=IR %s
// RUN: %cilk_cxx -M %s | FileCheck --check-prefix=DEPENDS %s
// RUN: %cilk_cxx -E %s -DCILK_SERIAL | FileCheck --check-prefix=SERIAL %s
#include <cilk/cilk.h>
#define GRAIN (SMALL + 1)
#define SMALL 6
#define spawn nothing
#define TEXT "a\\\"b"
#define LOOP _Pragma("cilk grainsize GRAIN") cilk_for
void f(int);
int size(const char *);

void loops(int n) {
  // CHECK: {{^}}#pragma cilk grainsize (6 + 1)
  // CHECK-NEXT: {{^}}#pragma cilk for
  // IR: store i32 7, ptr %__nopal_grain
#pragma cilk grainsize GRAIN
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: {{^}}#pragma cilk grainsize = 6
  // IR: store i32 6, ptr %__nopal_grain
#pragma cilk grainsize = SMALL
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: {{^}}#pragma cilk_grainsize = 6
  // IR: store i32 6, ptr %__nopal_grain
#pragma cilk_grainsize = SMALL
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: {{^}}#pragma cilk grainsize (6 + 1)
  // IR: store i32 7, ptr %__nopal_grain
  LOOP (int i = 0; i < n; ++i) f(i);
  // CHECK: {{^}}#pragma cilk grainsize size("a\\\"b")
  // IR: {{call|invoke}} {{.*}} @_Z4sizePKc(
#pragma cilk grainsize size(TEXT)
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: {{^}}#pragma cilk spawn
  // IR: call void @__nopal_begin(
#pragma cilk spawn
  f(n);
  // CHECK: {{^}}#pragma cilk unknown GRAIN
#pragma cilk unknown GRAIN
}
// DEPENDS: grain-preprocessed.cpp
// SERIAL: grainsize (6 + 1)
