// With optimization, what lives in registers stays there: fib's frame has slots for n, the second result and the first one's variable.
// RUN: %clangxx -fno-discard-value-names -O2 -fno-exceptions -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

// CHECK-LABEL: define {{.*}}i64 @_Z3fibl(
// CHECK-NEXT:  entry:
// CHECK-NEXT:    %nopal.frame = alloca [88 x i8], align 16
// CHECK-NOT:     store
// CHECK:         icmp slt i64 %n, 2
// CHECK-NEXT:    br i1
// CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
// CHECK-NEXT:    store i64 %n, ptr %[[SLOT]]
// CHECK:         store i64 ptrtoint (ptr @_Z3fibl.site to i64), ptr %nopal.frame
// CHECK:         call {{.*}}i64 @_Z3fibl(
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
