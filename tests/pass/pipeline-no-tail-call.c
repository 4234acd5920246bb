// A child that gets the address of a local of its parent is no tail call, whatever the optimizer thinks of the end of the function.
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

void work(long *);
// CHECK-LABEL: define {{.*}}void @f(
// CHECK:       {{^ +}}call void @work(
void f(void) {
  long x = 1;
  cilk_spawn work(&x);
}
