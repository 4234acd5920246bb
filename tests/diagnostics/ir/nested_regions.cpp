// A cilk_scope and a try statement that spawn stand between region markers: one begin, and one end that every way out without an exception
// passes. A region that spawns nothing has none.
// RUN: %cilk_cxx_ir -std=c++20 %s | FileCheck %s
#include <cilk/cilk.h>
int f(int);

// CHECK-LABEL: define {{.*}} @_Z5scopev
void scope() {
  cilk_spawn f(0);
  // CHECK: store i32 [[#ID:]], ptr %__nopal_end
  // CHECK: store i32 1, ptr %__nopal_region
  // CHECK: call void @__nopal_sync_cleanup({{.*}})
  // CHECK: call void @__nopal_region_end_cleanup(ptr noundef %__nopal_end)
  cilk_scope { cilk_spawn f(1); }
  // CHECK-NOT: @__nopal_region_begin
  cilk_scope { f(2); }
  // CHECK: }
}

// The handlers lie inside too.
// CHECK-LABEL: define {{.*}} @_Z8ways_outi
// CHECK: invoke void @__nopal_region_begin(
// CHECK: call ptr @__cxa_begin_catch(
// CHECK: call void @__nopal_region_end_cleanup(
// CHECK-NEXT: load i32, ptr %cleanup.dest
// CHECK: call void @__nopal_region_end_cleanup(
// CHECK-NOT: @__nopal_region_end_cleanup(
// CHECK: resume
int ways_out(int way) {
  cilk_spawn f(0);
  for (int i = 0; i < 3; ++i) {
    try {
      cilk_spawn f(1);
      if (way == 0) return 1;
      if (way == 1) break;
      if (way == 2) continue;
    } catch (int e) {
      if (e) return 2;
    }
  }
  return 0;
}
