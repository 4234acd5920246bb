// A program is the same when it is preprocessed first, saved on the way, or
// read from a precompiled header.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %cilk_cxx_ir -fno-exceptions %s -o %t/once.ll
// RUN: %cilk_cxx -E %s -o %t/pre.ii
// RUN: %cilk_cxx_ir -fno-exceptions %t/pre.ii -o %t/twice.ll
// RUN: %cilk_cxx -E -frewrite-includes %s -o %t/included.cpp
// RUN: %cilk_cxx_ir -fno-exceptions %t/included.cpp -o %t/included.ll
// RUN: %cilk_cxx -fno-exceptions -x c++-header %S/Inputs/program.h -o %t/program.pch
// RUN: %cilk_cxx_ir -fno-exceptions -DHAVE_PCH -include-pch %t/program.pch %s -o %t/pch.ll
// RUN: FileCheck %s < %t/once.ll
// RUN: FileCheck %s < %t/twice.ll
// RUN: FileCheck %s < %t/included.ll
// RUN: FileCheck %s < %t/pch.ll
// RUN: cp %s %t/saved.cpp
// RUN: %cilk_cxx -fno-exceptions -I%S -O0 -Xclang -disable-llvm-passes -save-temps=obj -c %t/saved.cpp -o %t/saved.o
// RUN: llvm-dis %t/saved.bc -o - | grep -c "void @__nopal_begin(i32" | FileCheck --check-prefix=SAVED %s
#ifndef HAVE_PCH
#include "Inputs/program.h"
#endif

int main() {
  int x = cilk_spawn in_header(1);
  int y = instance(2) + Object().member(3);
  cilk_sync;
  return x + y;
}
// CHECK-LABEL: define {{.*}} @main
// CHECK: call void @__nopal_begin(i32
// CHECK-NEXT: call void @__nopal_spawned()
// CHECK-NEXT: call {{.*}} @_Z9in_headeri(i32 noundef 1)
// CHECK: @__nopal_sync(i32 noundef 0)
// CHECK: @__nopal_sync_cleanup
// CHECK-DAG: define {{.*}} @_Z9in_headeri
// CHECK-DAG: define {{.*}} @_Z8instanceIiET_S0_
// CHECK-DAG: @__nopal_block_begin
// SAVED: 4
