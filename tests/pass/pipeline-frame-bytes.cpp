// A site has its bound where code generation comes next. Where inlining may still come it has none: before link-time optimization, and in bitcode
// that is compiled once more.
// RUN: %clangxx -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=BOUND
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=BOUND
// RUN: %clangxx -O0 -flto -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O2 -flto -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O2 -flto=thin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O0 -flto=thin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O2 -flto -ffat-lto-objects -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O1 -fsanitize=address -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clangxx -O2 -c -emit-llvm %s -o %t.bc
// RUN: %clangxx -O2 -S -emit-llvm %t.bc -o - | FileCheck %s --check-prefix=NONE
#include <cilk/cilk.h>

// BOUND: @_Z3fibl.site = internal constant {{.*}} ptr @_Z3fibl.steals, i32 {{[4-9]...}},
// NONE:  @_Z3fibl.site = internal constant {{.*}} ptr @_Z3fibl.steals, i32 0,
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
