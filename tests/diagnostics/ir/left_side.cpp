// The left side of an assignment is evaluated before the right side, once.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
struct S {
  S &operator=(int);
};
int f(int);
int *place(int);
S *object(int);
thread_local int local;

// CHECK-LABEL: define {{.*}} @_Z7elementPii
void element(int *a, int i) {
  // CHECK: call void @__nopal_begin
  // CHECK: store i32 {{.*}}, ptr %i.addr
  // CHECK: [[ELEMENT:%.*]] = getelementptr
  // CHECK-NEXT: store ptr [[ELEMENT]], ptr %__nopal_left
  // CHECK: store i32 {{.*}}, ptr %i.addr
  // CHECK: [[RESULT:%.*]] = call {{.*}} @_Z1fi
  // CHECK-NEXT: [[LEFT:%.*]] = load ptr, ptr %__nopal_left
  // CHECK-NEXT: store i32 [[RESULT]], ptr [[LEFT]]
  // CHECK-NEXT: call void @__nopal_end
  a[i++] = cilk_spawn f(i++);
}

// CHECK-LABEL: define {{.*}} @_Z7pointerv
void pointer() {
  // CHECK: call void @__nopal_begin
  // CHECK: call {{.*}} @_Z5placei
  // CHECK: call {{.*}} @_Z1fi
  // CHECK-NOT: @_Z5placei
  // CHECK: call void @__nopal_end
  *place(1) = cilk_spawn f(2);
}

// CHECK-LABEL: define {{.*}} @_Z10overloadedv
void overloaded() {
  // CHECK: call void @__nopal_begin
  // CHECK: call {{.*}} @_Z6objecti
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: [[RESULT:%.*]] = call {{.*}} @_Z1fi({{.*}})
  // CHECK-NEXT: [[LEFT:%.*]] = load ptr, ptr %__nopal_left
  // CHECK-NEXT: call {{.*}} @_ZN1SaSEi({{.*}} [[LEFT]], i32 noundef [[RESULT]]){{$}}
  // CHECK-NEXT: call void @__nopal_end
  *object(1) = cilk_spawn f(2);
}

// A thread-local variable is the one of the parent's thread.
// CHECK-LABEL: define {{.*}} @_Z12thread_localv
// CHECK: call {{.*}} @llvm.threadlocal.address
// CHECK: call {{.*}} @_Z1fi
// CHECK-NOT: threadlocal
// CHECK: ret void
void thread_local_() asm("_Z12thread_localv");
void thread_local_() {
  local = cilk_spawn f(1);
}
