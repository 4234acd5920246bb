// With more than 256 spawns the slow clone has parts, each called by the one before, unless they
// would have much code in common. A site names the part that is entered after it.
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O2 -g -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O0 -g -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

void child(int) noexcept;
bool is_odd(int) noexcept;

#define FOUR(X) X X X X
#define MANY(X) FOUR(FOUR(FOUR(FOUR(X))))

// CHECK-NOT: @_Z5wholev.slow.1
// CHECK-DAG: { ptr @_Z3twov.slow, {{.*}}, i32 255, i32 {{[0-9]+}}, ptr @_Z3twov.steals
// CHECK-DAG: { ptr @_Z3twov.slow.1, {{.*}}, i32 256, i32 {{[0-9]+}}, ptr @_Z3twov.steals
// CHECK-DAG: { ptr @_Z4loopi.slow.1, {{.*}}, i32 256, i32 {{[0-9]+}}, ptr @_Z4loopi.steals
// CHECK-NOT: @_Z5wholev.slow.1

void two() noexcept {
  MANY(cilk_spawn child(0);)
  cilk_spawn child(1);
}

void loop(int n) noexcept {
  for (int i = 0; i < n; ++i) {
    MANY(cilk_spawn child(i);)
    cilk_spawn child(i);
  }
}

// No spawn is on all paths, so the first part would reach all code of the second.
void whole() noexcept {
  MANY(if (is_odd(0)) cilk_spawn child(0);)
  MANY(if (is_odd(1)) cilk_spawn child(1);)
}

// CHECK-LABEL: define internal ptr @_Z3twov.slow(
// CHECK-NOT:     @nopal_sync(
// CHECK:         musttail call ptr @_Z3twov.slow.1(
// CHECK-NOT:     musttail
// CHECK-NOT:     @nopal_sync(
// CHECK:       {{^}}}

// CHECK-LABEL: define internal ptr @_Z3twov.slow.1(
// CHECK-NOT:     musttail
// CHECK:         call ptr @nopal_sync(
// CHECK-NOT:     musttail
// CHECK:       {{^}}}

// The last part goes back to the first.
// CHECK-LABEL: define internal ptr @_Z4loopi.slow.1(
// CHECK:         musttail call ptr @_Z4loopi.slow(
// CHECK-NOT:     musttail
// CHECK:       {{^}}}
