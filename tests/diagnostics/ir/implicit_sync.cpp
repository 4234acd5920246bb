// Implicit syncs: after the return value, before destructors and handlers.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions -DNO_EXCEPTIONS %s | FileCheck %s
// RUN: %cilk_cxx_ir -std=c++20 %s | FileCheck --check-prefix=THROW %s
#include <cilk/cilk.h>
struct Local {
  Local();
  ~Local();
};
int f(int);
Local make();

// CHECK-LABEL: define {{.*}} @_Z8returnedi
int returned(int i) {
  // CHECK: store i32 0, ptr %__nopal_region
  // CHECK: call void @_ZN5LocalC1Ev({{.*}} %local)
  Local local;
  cilk_spawn f(i);
  // CHECK: [[VALUE:%.*]] = call {{.*}} @_Z1fi(i32 noundef 2)
  // CHECK-NEXT: call void @__nopal_sync_cleanup(ptr noundef %__nopal_region{{[0-9]+}})
  // CHECK-NEXT: call void @_ZN5LocalD1Ev({{.*}} %local)
  // CHECK-NEXT: call void @__nopal_sync_cleanup(ptr noundef %__nopal_region)
  // CHECK-NEXT: ret i32 [[VALUE]]
  return f(2);
}

// Temporaries that live as long as a reference count too.
// CHECK-LABEL: define {{.*}} @_Z9referencev
void reference() {
  const Local &bound = make();
  cilk_spawn f(1);
  f(2);
  // CHECK: call {{.*}} @_Z1fi(i32 noundef 2)
  // CHECK-NEXT: call void @__nopal_sync_cleanup
  // CHECK-NEXT: call void @_ZN5LocalD1Ev
  // CHECK-NEXT: call void @__nopal_sync_cleanup
  // CHECK-NEXT: ret void
}

// Not at the end of an inner block: the loop would be serial.
// CHECK-LABEL: define {{.*}} @_Z4loopi
void loop(int n) {
  // CHECK: for.body:
  // CHECK-NOT: __nopal_sync
  // CHECK: for.end:
  // CHECK-NEXT: call void @__nopal_sync_cleanup
  for (int i = 0; i < n; ++i) {
    Local local;
    cilk_spawn f(i);
  }
}

// CHECK-LABEL: define {{.*}} @_Z8no_spawnv
// CHECK-NOT: __nopal
// CHECK: ret void
void no_spawn() {
  Local local;
  cilk_sync;
}

struct Object {
  Local member;
  Object() { cilk_spawn f(1); f(2); }
  ~Object() { cilk_spawn f(3); f(4); }
};
void object() { Object o; }
// CHECK-LABEL: define {{.*}} @_ZN6ObjectC2Ev
// CHECK: call void @_ZN5LocalC1Ev
// CHECK: call {{.*}} @_Z1fi(i32 noundef 2)
// CHECK-NEXT: call void @__nopal_sync_cleanup
// CHECK-LABEL: define {{.*}} @_ZN6ObjectD2Ev
// CHECK: call {{.*}} @_Z1fi(i32 noundef 4)
// CHECK-NEXT: call void @__nopal_sync_cleanup
// CHECK-NEXT: call void @_ZN5LocalD1Ev

#ifndef NO_EXCEPTIONS
// On the way of an exception too, before the destructor.
// THROW-LABEL: define {{.*}} @_Z8returnedi
// THROW: landingpad
// THROW: invoke void @__nopal_sync_cleanup({{.*}})
// THROW-NEXT: to label {{.*}} unwind label %terminate.lpad
// THROW: call void @_ZN5LocalD1Ev({{.*}} %local)
// THROW: resume

// THROW-LABEL: define {{.*}} @_Z9try_blockv
void try_block() {
  // THROW: store i32 1, ptr %__nopal_region
  try {
    Local local;
    cilk_spawn f(1);
    f(2);
    // THROW: invoke {{.*}} @_Z1fi(i32 noundef 2)
    // THROW: invoke void @__nopal_sync_cleanup
    // THROW: call void @_ZN5LocalD1Ev
    // THROW: invoke void @__nopal_sync_cleanup
    // THROW: br label %try.cont
    // THROW: catch ptr @_ZTIi
    // THROW: invoke void @__nopal_sync_cleanup
    // THROW: catch.dispatch:
  } catch (int) {
  }
}

// THROW-LABEL: define {{.*}} @_Z12function_tryv
void function_try() try {
  // THROW: store i32 1, ptr %__nopal_region
  // THROW: invoke void @__nopal_begin
  // THROW: invoke void @__nopal_sync_cleanup
  cilk_spawn f(1);
  f(2);
} catch (...) {
  // THROW: catch:
  // THROW-NOT: __nopal
  // THROW: call void @__cxa_end_catch
}
#endif
