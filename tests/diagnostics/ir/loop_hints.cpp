// The hints before a cilk_for belong to the loop over a part of its iterations, with a grain in either order, in a template too.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
// RUN: %cilk_cxx -std=c++20 -E %s -o %t.ii
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %t.ii | FileCheck %s
#include <cilk/cilk.h>
void f(int);
#define HINT _Pragma("clang loop unroll_count(3)")

// CHECK-LABEL: define {{.*}} @_Z5plaini
// CHECK: call void @__nopal_loop_begin(
// CHECK: br label %for.cond, !llvm.loop [[WIDTH:![0-9]+]]
void plain(int n) {
#pragma clang loop vectorize_width(8)
  cilk_for (int i = 0; i < n; ++i) f(i);
}

// CHECK-LABEL: define {{.*}} @_Z6unrolli
// CHECK: !llvm.loop [[UNROLL:![0-9]+]]
// CHECK: !llvm.loop [[NOUNROLL:![0-9]+]]
// CHECK: !llvm.loop [[MACRO:![0-9]+]]
// CHECK: !llvm.loop [[NOUNROLL2:![0-9]+]]
void unroll(int n) {
#pragma unroll 4
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma nounroll
  cilk_for (int i = 0; i < n; ++i) f(i);
  HINT cilk_for (int i = 0; i < n; ++i) f(i);
  if (n)
#pragma GCC unroll 1
    cilk_for (int i = 0; i < n; ++i) f(i);
}

// CHECK-LABEL: define {{.*}} @_Z6grainsi
// CHECK: store i32 5, ptr %__nopal_grain
// CHECK: !llvm.loop [[BEFORE:![0-9]+]]
// CHECK: store i32 6, ptr %__nopal_grain
// CHECK: !llvm.loop [[AFTER:![0-9]+]]
// CHECK: store i32 7, ptr %__nopal_grain
// CHECK: !llvm.loop [[AROUND:![0-9]+]]
void grains(int n) {
#pragma clang loop distribute(enable)
#pragma cilk grainsize 5
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma cilk grainsize 6
#pragma clang loop distribute(enable) interleave_count(2)
  cilk_for (int i = 0; i < n; ++i) f(i);
#pragma unroll
#pragma cilk grainsize 7
#pragma clang loop vectorize(disable)
  cilk_for (int i = 0; i < n; ++i) f(i);
}

template <int Width> void dependent(int n) {
#pragma clang loop vectorize_width(Width)
#pragma cilk grainsize Width
  cilk_for (int i = 0; i < n; ++i) f(i);
}
template void dependent<2>(int);
// CHECK-LABEL: define {{.*}} @_Z9dependentILi2E
// CHECK: store i32 2, ptr %__nopal_grain
// CHECK: !llvm.loop [[DEPENDENT:![0-9]+]]

void ranges(int (&a)[9]) {
#pragma clang loop unroll_count(9)
  cilk_for (int x : a) f(x);
}
// CHECK-LABEL: define {{.*}} @_Z6rangesRA9_i
// CHECK: !llvm.loop [[RANGE:![0-9]+]]

// CHECK-DAG: [[WIDTH]] = {{.*}}[[W8:![0-9]+]]
// CHECK-DAG: !{!"llvm.loop.vectorize.width", i32 8}
// CHECK-DAG: !{!"llvm.loop.unroll.count", i32 4}
// CHECK-DAG: !{!"llvm.loop.unroll.disable"}
// CHECK-DAG: !{!"llvm.loop.unroll.count", i32 3}
// CHECK-DAG: !{!"llvm.loop.distribute.enable", i1 true}
// CHECK-DAG: !{!"llvm.loop.interleave.count", i32 2}
// CHECK-DAG: !{!"llvm.loop.unroll.enable"}
// CHECK-DAG: !{!"llvm.loop.vectorize.width", i32 1}
// CHECK-DAG: !{!"llvm.loop.vectorize.width", i32 2}
// CHECK-DAG: !{!"llvm.loop.unroll.count", i32 9}
