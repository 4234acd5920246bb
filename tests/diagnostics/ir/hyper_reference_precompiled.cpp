// A use of a constant reference to a global's view is a look-up, where a precompiled header has it,
// too: Clang has not kept there that the reference is a constant.
// RUN: rm -rf %t && mkdir -p %t
// RUN: cp %s %t/header.h
// RUN: %cilk_cxx -fno-exceptions -DIS_HEADER -x c++-header %t/header.h -o %t/header.pch
// RUN: %cilk_cxx_ir -fno-exceptions -DHAVE_PCH -include-pch %t/header.pch %s -o %t/pch.ll
// RUN: %cilk_cxx_ir -fno-exceptions %s -o %t/once.ll
// RUN: FileCheck %s < %t/once.ll
// RUN: FileCheck %s < %t/pch.ll
#ifndef HAVE_PCH
#include <cilk/cilk.h>
void zero(void *view);
void plus(void *left, void *right);
inline long cilk_reducer(zero, plus) sum = 0;

template <class T>
void add(T n) {
  long &view = sum;
  view += n;
  [&] { view += 2; }();
}
inline void one() { add(1L); }
#endif

#ifdef IS_HEADER
#undef IS_HEADER
#else
void two() { one(); }
#endif

// CHECK-LABEL: define {{.*}}@_Z3addIlEvT_(
// CHECK: call ptr @__nopal_view({{.*}}@sum
// CHECK-NEXT: load i64
// CHECK-NEXT: add nsw i64
// CHECK-LABEL: define {{.*}}@_ZZ3addIlEvT_ENKUlvE_clEv(
// CHECK: call ptr @__nopal_view({{.*}}@sum
// CHECK-NEXT: load i64
// CHECK-NEXT: add nsw i64
