// A return statement that makes an object says so in front of the implicit syncs on its way; one whose variable is destroyed by these does not.
// RUN: %cilk_cxx_ir -std=c++20 -fexceptions -fcxx-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
struct T {
  T(int);
  T(T &&);
  ~T();
};
void g();

// CHECK-LABEL: define {{.*}} @_Z4madev
// CHECK: @_ZN1TC1Ei(ptr {{.*}} %agg.result
// CHECK: invoke void @__nopal_returned(ptr noundef %agg.result)
// CHECK: @__nopal_sync_cleanup
T made() {
  cilk_spawn g();
  return T(1);
}

// CHECK-LABEL: define {{.*}} @_Z5inneri
// CHECK: @__nopal_returned(ptr noundef %agg.result)
T inner(int n) {
  cilk_spawn g();
  if (n) {
    T t(1);
    return t;
  }
  return 2;
}

// CHECK-LABEL: define {{.*}} @_Z5outerv
// CHECK-NOT: __nopal_returned
// CHECK: }
T outer() {
  cilk_spawn g();
  T t(1);
  return t;
}
