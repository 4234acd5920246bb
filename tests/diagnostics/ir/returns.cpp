// An object that a return statement makes lies before a sync that destroys it if it raises: the statement gets one, in a try block that is no
// region one that passes its handlers by. A variable that the implicit sync destroys needs none.
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
// CHECK: invoke void @__nopal_sync(i32 noundef 0)
// CHECK: @__nopal_sync_cleanup
T made() {
  cilk_spawn g();
  return T(1);
}

// CHECK-LABEL: define {{.*}} @_Z5blocki
// CHECK: @_ZN1TC1Ei(ptr {{.*}} %agg.result
// CHECK: invoke void @__nopal_sync(i32 noundef 0)
// CHECK: @_ZN1TC1Ei(ptr {{.*}} %agg.result
T block(int n) {
  cilk_spawn g();
  if (n) {
    T t(1);
    return t;
  }
  return 2;
}

// CHECK-LABEL: define {{.*}} @_Z5outerv
// CHECK-NOT: @__nopal_sync(
// CHECK: }
T outer() {
  cilk_spawn g();
  T t(1);
  return t;
}

// CHECK-LABEL: define {{.*}} @_Z5innerv
// CHECK: invoke void @__nopal_try_begin(i32 noundef [[#TRY:]], i32 noundef 0)
// CHECK: invoke void @__nopal_try_body(i32 noundef [[#TRY]])
// CHECK: invoke void @__nopal_try_begin(i32 noundef [[#TRY+1]], i32 noundef [[#TRY]])
// CHECK: invoke void @__nopal_try_body(i32 noundef [[#TRY+1]])
// CHECK: @_ZN1TC1Ei(ptr {{.*}} %agg.result
// CHECK: invoke void @__nopal_pass_through_sync(i32 noundef 0, i32 noundef [[#TRY+1]])
T inner() {
  cilk_spawn g();
  try {
    try {
      return T(1);
    } catch (int) {
    }
  } catch (...) {
  }
  return 2;
}

// A return out of two cilk_scopes: the inner sync destroys the object if it raises, the outer one by a handler. A scope that
// spawns nothing waits for nothing, so the return in it is one of the scope around.
// CHECK-LABEL: define {{.*}} @_Z6scopesv
// CHECK: %__nopal_returned = alloca ptr
// CHECK: {{(call|invoke)}} void @__nopal_region_begin(i32 noundef [[#OUTER:]], {{.*}}, i32 noundef 1)
// CHECK: invoke void @__nopal_region_begin(i32 noundef [[#OUTER+2]], {{.*}}, i32 noundef 2)
// CHECK-NOT: @__nopal_region_begin
// CHECK: @_ZN1TC1Ei(ptr {{.*}} %agg.result
// CHECK: invoke void @__nopal_sync(i32 noundef 2)
// CHECK: store ptr %agg.result, ptr %__nopal_returned
// CHECK: @__nopal_sync_cleanup
T scopes() {
  cilk_scope {
    cilk_spawn g();
    cilk_scope {
      cilk_spawn g();
      cilk_scope { return T(1); }
    }
  }
}
