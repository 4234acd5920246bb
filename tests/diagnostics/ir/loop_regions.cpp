// An iteration is a sync region of number 0, synced before its variables die; the function around it is none for its sake.
// RUN: %cilk_cxx_ir -std=c++20 %s | FileCheck %s
#include <cilk/cilk.h>
void f(int);
struct Local {
  Local(int);
  ~Local();
};

// CHECK-LABEL: define {{.*}} @_Z4bodyi
void body(int n) {
  // CHECK-NOT: ptr %__nopal_region
  // CHECK: call void @__nopal_loop_begin({{.*}}, i32 noundef 0, i64
  // CHECK: store i32 0, ptr %__nopal_region,
  // CHECK: invoke void @_ZN5LocalC1Ei
  // CHECK: store i32 0, ptr %__nopal_region{{[0-9]+}},
  // CHECK: @__nopal_begin({{.*}}, i32 noundef 0)
  // CHECK: @__nopal_sync(i32 noundef 0)
  // CHECK: @__nopal_sync_cleanup(
  // CHECK: call void @_ZN5LocalD1Ev
  // CHECK: @__nopal_loop_end(
  cilk_for (int i = 0; i < n; ++i) {
    Local local(i);
    cilk_spawn f(i);
    f(n);
    cilk_sync;
    f(0);
  }
  // CHECK: ret void
}

// A body that is no block, a loop in a loop, and a loop in a region.
// CHECK-LABEL: define {{.*}} @_Z6nestedi
void nested(int n) {
  // CHECK: store i32 0, ptr %__nopal_region,
  // CHECK: @__nopal_begin({{.*}}, i32 noundef 0)
  cilk_spawn f(0);
  // CHECK: store i32 1, ptr %__nopal_region{{[0-9]+}},
  // CHECK: @__nopal_begin({{.*}}, i32 noundef 1)
  // CHECK: @__nopal_loop_begin({{.*}}, i32 noundef 1, i64
  // CHECK: @__nopal_loop_begin({{.*}}, i32 noundef 0, i64
  // CHECK: store i32 0, ptr %__nopal_region{{[0-9]+}},
  // CHECK: @__nopal_begin({{.*}}, i32 noundef 0)
  try {
    cilk_spawn f(1);
    cilk_for (int i = 0; i < n; ++i) {
      cilk_for (int j = 0; j < i; ++j) cilk_spawn f(j);
    }
  } catch (int) {
  }
  // CHECK: @__nopal_loop_begin({{.*}}, i32 noundef 0, i64
  // CHECK: store i32 1, ptr %__nopal_region{{[0-9]+}},
  // CHECK: @__nopal_begin({{.*}}, i32 noundef 1)
  cilk_for (int i = 0; i < n; ++i) {
    try {
      cilk_spawn f(2);
      f(3);
    } catch (int) {
    }
  }
}

// A sync where nothing was spawned is nothing, also if the function around spawns.
// CHECK-LABEL: define {{.*}} @_Z7nothingi
void nothing(int n) {
  // CHECK: @__nopal_begin(
  cilk_spawn f(0);
  // CHECK: @__nopal_loop_begin(
  // CHECK-NOT: @__nopal_sync(
  // CHECK: @__nopal_loop_end(
  cilk_for (int i = 0; i < n; ++i) {
    f(i);
    cilk_sync;
  }
}
