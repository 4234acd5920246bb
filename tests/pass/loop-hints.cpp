// The hints of a cilk_for act on its leaf, and on the version of a short loop that is not divided.
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK-LABEL: define {{.*}} @_Z4widePiPKii(
// CHECK: add {{.*}}<16 x i32>
void wide(int *__restrict a, const int *__restrict b, int n) {
#pragma clang loop vectorize_width(16) interleave_count(1)
#pragma cilk grainsize 512
  cilk_for (int i = 0; i < n; ++i) a[i] += b[i];
}

// CHECK-LABEL: define {{.*}} @_Z6scalarPiPKii(
// CHECK-NOT: {{<[0-9]+ x i32>}}
void scalar(int *__restrict a, const int *__restrict b, int n) {
#pragma cilk grainsize 512
#pragma clang loop vectorize(disable) unroll(disable)
  cilk_for (int i = 0; i < n; ++i) a[i] += b[i];
}

// CHECK-LABEL: define {{.*}} @_Z6scalarPiPKii.leaf(
// CHECK-NOT: {{<[0-9]+ x i32>}}
// CHECK-LABEL: define {{.*}} @_Z4widePiPKii.leaf(
// CHECK: add {{.*}}<16 x i32>
