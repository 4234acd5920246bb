// The grain of a loop, in each spelling, is evaluated once, before the loop.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
// RUN: %cilk_cxx -std=c++20 -E %s -o %t.ii
// RUN: %cilk_cxx -std=c++20 -fno-exceptions -O0 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm -o - %t.ii | FileCheck %s
#include <cilk/cilk.h>
#define LOOP(n) _Pragma("cilk grainsize 5") cilk_for (int i = 0; i < n; ++i) f(i);
void f(int);
int g();

// CHECK-LABEL: define {{.*}} @_Z9spellingsi
void spellings(int n) {
  // CHECK: store i32 1, ptr %__nopal_grain,
  // CHECK: call void @__nopal_loop_begin(
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: store i32 2, ptr %__nopal_grain{{[0-9]*}},
  // CHECK: call void @__nopal_loop_begin(
#pragma cilk grainsize = 2
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: store i32 3, ptr %__nopal_grain{{[0-9]*}},
  // CHECK: call void @__nopal_loop_begin(
#pragma cilk grainsize(3)
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: store i32 4, ptr %__nopal_grain{{[0-9]*}},
  // CHECK: call void @__nopal_loop_begin(
#pragma cilk_grainsize = 4
  cilk_for (int i = 0; i < n; ++i) f(i);
  // CHECK: store i32 5, ptr %__nopal_grain{{[0-9]*}},
  // CHECK: call void @__nopal_loop_begin(
  LOOP(n)
  // CHECK: store i32 6, ptr %__nopal_grain{{[0-9]*}},
  // CHECK: call void @__nopal_loop_begin(
#pragma cilk cilk_grainsize 6
  _Cilk_for (int i = 0; i < n; ++i) f(i);
}

// CHECK-LABEL: define {{.*}} @_Z8run_timei
void run_time(int n) {
  // What is negative is the default.
  // CHECK: call {{.*}} @_Z1gv
  // CHECK: icmp sgt i32
  // CHECK: [[GRAIN:%.*]] = phi i64
  // CHECK: call void @__nopal_loop_begin({{.*}}, i64 noundef [[GRAIN]])
  // CHECK-NOT: call {{.*}} @_Z1gv
  // CHECK: call void @__nopal_loop_end(
#pragma cilk grainsize g() + n
  cilk_for (int i = 0; i < n; ++i) f(i);
  // An else belongs to the user's if, a break to the user's loop.
  // CHECK: if.else:
  // CHECK: call void @_Z1fi(i32 noundef 77)
  for (;;)
    if (n)
#pragma cilk grainsize sizeof(int)
      cilk_for (int i = 0; i < n; ++i) f(i);
    else
      f(77);
}

struct Size {
  operator unsigned long() const;
};
// CHECK-LABEL: define {{.*}} @_Z8capturedi
void captured(int n) {
  [&] {
#pragma cilk grainsize n
    cilk_for (int i = 0; i < n; ++i) f(i);
  }();
#pragma cilk grainsize = Size()
  cilk_for (int i = 0; i < n; ++i) f(i);
}
// CHECK: call {{.*}} @_ZNK4SizecvmEv(
// CHECK: call void @__nopal_loop_begin(

// CHECK-LABEL: define {{.*}} @"_ZZ8capturediENK
// CHECK: load i32, ptr %
// CHECK: store i32 %{{.*}}, ptr %__nopal_grain,
// CHECK: call void @__nopal_loop_begin(

template <int N> void dependent(auto n) {
#pragma cilk grainsize N
  cilk_for (int i = 0; i < n; ++i) f(i);
}
template void dependent<70>(int);
// CHECK-LABEL: define {{.*}} @_Z9dependentILi70E
// CHECK: store i32 70, ptr %__nopal_grain,
// CHECK: call void @__nopal_loop_begin(
