// At every optimization level both passes run by themselves: two clones, the child's call in both, and no marker left.
// RUN: %clangxx -fno-discard-value-names -O0 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -O1 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -O3 -g -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -Os -fno-exceptions -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -O2 -flto -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
// RUN: %clangxx -fno-discard-value-names -O2 -flto=thin -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@__nopal_
#include <cilk/cilk.h>

// CHECK: @[[SITE:_Z3fibl.site]] = internal constant {{.*}} { ptr @_Z3fibl.slow, {{.*}}, i32 [[#@LINE + 11]], i32 12, i32 0, i32 {{0|64}}, ptr @_Z3fibl.steals,
// CHECK: define {{.*}}i64 @_Z3fibl(i64 {{.*}}%{{.*}})
// CHECK:   %nopal.frame = alloca
// CHECK:   ptrtoint (ptr @[[SITE]] to i64)
// CHECK:   {{call|invoke}} {{.*}}i64 @_Z3fibl(
// CHECK:   {{call|invoke}} {{.*}}i64 @_Z3fibl(
// CHECK: define internal {{.*}}ptr @_Z3fibl.slow(ptr {{.*}}%frame)
// CHECK:   {{call|invoke}} {{.*}}i64 @_Z3fibl(
// CHECK:   call {{.*}}ptr @nopal_sync(
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
