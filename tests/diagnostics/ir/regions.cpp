// Each sync carries the number of its region: 0 is the function's, and also
// that of a spawned block, which becomes a function of its own.
// RUN: %cilk_cxx_ir -std=c++20 %s | FileCheck %s
#include <cilk/cilk.h>
int f(int);

// CHECK-LABEL: define {{.*}} @_Z7regionsv
void regions() {
  // CHECK: store i32 0, ptr %__nopal_region
  cilk_spawn f(0);
  try {
    // CHECK: store i32 1, ptr %__nopal_region
    cilk_spawn f(1);
    f(1);
    // CHECK: invoke void @__nopal_sync(i32 noundef 1)
    cilk_sync;
    f(1);
  } catch (...) {
  }
  // Spawns nothing, so it is no region.
  // CHECK: invoke void @__nopal_try_begin(i32 noundef [[#TRY:]], i32 noundef 0)
  // CHECK: invoke void @__nopal_try_body(i32 noundef [[#TRY]])
  try {
    // CHECK: invoke void @__nopal_pass_through_sync(i32 noundef 0, i32 noundef [[#TRY]])
    cilk_sync;
  } catch (...) {
  }
  cilk_scope {
    // CHECK: store i32 2, ptr %__nopal_region
    cilk_spawn f(2);
    // CHECK: invoke void @__nopal_sync(i32 noundef 2)
    f(2);
    cilk_sync;
  }
  // CHECK: invoke void @__nopal_block_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  cilk_spawn {
    // CHECK: store i32 0, ptr %__nopal_region
    cilk_spawn f(3);
    f(3);
    // CHECK: invoke void @__nopal_sync(i32 noundef 0)
    cilk_sync;
    cilk_scope {
      // CHECK: store i32 1, ptr %__nopal_region
      cilk_spawn f(4);
      f(4);
      // CHECK: invoke void @__nopal_sync_cleanup
    }
    // CHECK: invoke void @__nopal_sync_cleanup
  }
  // CHECK: call void @__nopal_end(i32 noundef [[#ID]])
  // CHECK: invoke void @__nopal_sync(i32 noundef 0)
  cilk_sync;
}
