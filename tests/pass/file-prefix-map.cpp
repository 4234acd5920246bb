// -ffile-prefix-map acts on the name of the file that a spawn stands in, so builds in two places can be equal.
// RUN: %clangxx -O2 -S -emit-llvm -ffile-prefix-map=%S/=shorter/ %s -o - | FileCheck %s
#include <cilk/cilk.h>

void child(), more();

// CHECK:     c"shorter/file-prefix-map.cpp\00"
// CHECK-NOT: pass/file-prefix-map.cpp
void parent() {
  cilk_spawn child();
  more();
  cilk_sync;
}
