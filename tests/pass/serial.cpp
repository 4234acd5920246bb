// The whole plugin: -nopal-serial leaves neither clone nor marker, and no short loop without its hooks, at any level.
// RUN: %clangxx -std=c++20 -O0 -mllvm -nopal-serial -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -g -mllvm -nopal-serial -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -flto=thin -mllvm -nopal-serial -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=SPLIT %s
// SPLIT-NOT: nopal_hook
#include <cilk/cilk.h>

thread_local int counter;
long work(long);

// CHECK-LABEL: define {{.*}}@_Z6spawnsl(
// CHECK-NOT:   nopal.thread
// CHECK:       call void @nopal_hook_enter(
// CHECK:       call void @nopal_hook_spawn(
// CHECK:       call void @nopal_hook_return(
// CHECK:       call void @nopal_hook_sync(
// CHECK:       call void @nopal_hook_leave(
long spawns(long n) {
  ++counter;
  long x = cilk_spawn work(n);
  long y = work(n + 1);
  cilk_sync;
  return x + y + counter;
}

// CHECK-LABEL: define {{.*}}@_Z5loopsPi(
// CHECK:       call i64 @nopal_hook_loop(
// CHECK:       call void @nopal_hook_leaf(
// CHECK-NOT:   call void @nopal_hook_leave(
// CHECK:       call void @nopal_hook_loop_end(
void loops(int *a) {
#pragma cilk grainsize 1000
  cilk_for (int i = 0; i < 10; ++i) a[i] = i;
}

// CHECK-NOT: __nopal_
// CHECK-NOT: .slow
