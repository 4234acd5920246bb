// The plugin loaded twice, also as a copy under another path, acts once.
// RUN: rm -rf %t && mkdir -p %t && cp %plugin %t/copy.so
// RUN: %cilk_cxx_ir -fpass-plugin=%t/copy.so %s | FileCheck %s
// RUN: %cilk_cxx_ir -fplugin=%plugin %s | FileCheck %s
#include <cilk/cilk.h>
int f(int);
// CHECK-LABEL: define {{.*}} @_Z5twicev
// CHECK-COUNT-1: @__nopal_begin
// CHECK-NOT: @__nopal_begin
// CHECK: ret void
void twice() {
  cilk_spawn f(1);
  f(2);
}
