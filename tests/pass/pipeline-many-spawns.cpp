// In a function with more than 64 spawns the fast path is a call, except in loops; with 64 it is in line.
// There helpers are called, too, and all spawns share the block in which the fast clone is suspended.
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

void child(int) noexcept;

#define FOUR(X) X X X X
#define SPAWN cilk_spawn child(0);

// CHECK-LABEL: define {{.*}}@_Z3fewv(
// CHECK-NOT:     @nopal_fast_
// CHECK:       {{^}}}
void few() noexcept {
  FOUR(FOUR(FOUR(SPAWN)))
}

// CHECK-LABEL: define {{.*}}@_Z4manyi(
// CHECK-COUNT-64: call preserve_mostcc {{.*}}i1 @nopal_fast_pop(
// CHECK-NOT:     @nopal_fast_
// CHECK:         call void @nopal_suspend(
// CHECK-NOT:     @nopal_suspend(
// CHECK:       {{^}}}
void many(int n) noexcept {
  for (int i = 0; i < n; ++i) cilk_spawn child(i);
  FOUR(FOUR(FOUR(SPAWN)))
}

struct Value {
  Value(int);
  ~Value();
};
void taker(Value);

// CHECK-LABEL: define {{.*}}@_Z7helpersv(
// CHECK-COUNT-65: invoke void @_Z7helpersv.spawn
// CHECK-NOT:     @_Z5taker5Value(
// CHECK:       {{^}}}
void helpers() {
  FOUR(FOUR(FOUR(cilk_spawn taker(1);)))
  cilk_spawn taker(2);
}
