// What a statement mentions and does not declare, if the declaration may leave no trace: one marker each before the begin marker, in source order.
// RUN: %cilk_cxx_ir -std=c++20 %s | FileCheck %s
#include <cilk/cilk.h>
int f(int *);
struct Plain { int value; void use(); };

// CHECK-LABEL: define {{.*}} @_Z5mentsi
// CHECK-NOT:     @__nopal_outer
// CHECK:         call void @__nopal_outer(i32 noundef [[BLOCK:[0-9]+]], ptr noundef %array)
// CHECK-NEXT:    call void @__nopal_outer(i32 noundef [[BLOCK]], ptr noundef %plain)
// CHECK-NEXT:    {{call|invoke}} void @__nopal_block_begin(i32 noundef [[BLOCK]],
void ments(int n) {
  int set = 0, array[4];
  Plain plain;
  for (int i = 0; i < n; ++i) {
    cilk_spawn {
      int own;
      Plain another;
      another.use();
      own = n + set;
      f(&own);
      array[0] = 1;
      plain.use();
    }
    cilk_sync;
  }
  // CHECK-NOT:  @__nopal_outer
  // CHECK:      call void @__nopal_outer(i32 noundef [[CALL:[0-9]+]], ptr noundef %captured)
  // CHECK-NEXT: {{call|invoke}} void @__nopal_begin(i32 noundef [[CALL]],
  int captured;
  cilk_spawn [&captured] { captured = 1; }();
  cilk_sync;
  // CHECK-NOT:  @__nopal_outer
  // CHECK:      call void @__nopal_outer(i32 noundef [[LOOP:[0-9]+]], ptr noundef %slots)
  // CHECK:      {{call|invoke}} void @__nopal_loop_begin(i32 noundef [[LOOP]],
  // CHECK-NOT:  @__nopal_outer
  int slots[8];
  cilk_for (int i = 0; i < 8; ++i) {
    int own[2];
    f(own);
    f(&slots[i]);
  }
  // CHECK:      call void @__nopal_outer(i32 noundef [[SCOPE:[0-9]+]], ptr noundef %inside)
  // CHECK-NEXT: {{call|invoke}} void @__nopal_region_begin(i32 noundef [[SCOPE]],
  int inside;
  cilk_scope { cilk_spawn f(&inside); f(nullptr); }
}
