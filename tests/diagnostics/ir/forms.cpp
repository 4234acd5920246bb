// Each form of cilk_spawn: begin, arguments, the spawned call, the store, end.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
struct S {
  int plain(int);
  virtual int overrider(int);
  int operator()(int);
};
int f(int), g(int);

// CHECK-LABEL: define {{.*}} @_Z9statementi
void statement(int i) {
  // CHECK: call void @__nopal_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK-NEXT: load i32, ptr %i.addr
  // CHECK-NEXT: call {{.*}} @_Z1gi({{.*}}){{$}}
  // CHECK-NEXT: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_Z1fi({{.*}})
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID]])
  cilk_spawn f(g(i));
}

// CHECK-LABEL: define {{.*}} @_Z10assignmenti
void assignment(int i) {
  int x;
  // CHECK: call void @__nopal_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: [[RESULT:%.*]] = call {{.*}} @_Z1fi({{.*}})
  // CHECK-NEXT: store i32 [[RESULT]], ptr %x
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID]])
  x = cilk_spawn f(i);
}

// CHECK-LABEL: define {{.*}} @_Z9variablesi
void variables(int i) {
  // CHECK: call void @__nopal_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: [[RESULT:%.*]] = call {{.*}} @_Z1fi({{.*}})
  // CHECK-NEXT: [[WIDE:%.*]] = sitofp i32 [[RESULT]] to double
  // CHECK-NEXT: store double [[WIDE]], ptr %x
  // CHECK-NEXT: call void @__nopal_made(i32 noundef [[#ID]], ptr noundef %x)
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID]])
  // CHECK-NEXT: store double 1.0{{.*}}, ptr %y
  // CHECK-NEXT: call void @__nopal_begin(i32 noundef [[#ID+1]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: [[RESULT:%.*]] = call {{.*}} @_Z1fi({{.*}})
  // CHECK: store double {{.*}}, ptr %z
  // CHECK-NEXT: call void @__nopal_made(i32 noundef [[#ID+1]], ptr noundef %z)
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID+1]])
  double x = cilk_spawn f(i), y = 1, z{static_cast<double>(cilk_spawn f(i))};
}

// CHECK-LABEL: define {{.*}} @_Z7calleesP1SPFiiEMS_FiiE
void callees(S *s, int (*pointer)(int), int (S::*member)(int)) {
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_ZN1S5plainEi({{.*}})
  cilk_spawn s->plain(1);
  // CHECK: call void @__nopal_spawned()
  // CHECK: call {{.*}} %{{[0-9]+}}({{.*}} i32 noundef 2)
  cilk_spawn s->overrider(2);
  // CHECK: call void @__nopal_spawned()
  // CHECK: call {{.*}} %{{[0-9]+}}(i32 noundef 3)
  cilk_spawn pointer(3);
  // CHECK: call void @__nopal_spawned()
  // CHECK: call {{.*}} %{{[0-9]+}}({{.*}} i32 noundef 4)
  cilk_spawn (s->*member)(4);
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_ZN1SclEi({{.*}} i32 noundef 5)
  cilk_spawn (*s)(5);
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @"_ZZ7callees{{.*}}_0clEv"({{.*}})
  cilk_spawn [=] { s->plain(6); }();
}

// CHECK-LABEL: define {{.*}} @_Z7nothingv
// CHECK-NOT: __nopal
// CHECK: ret void
void nothing() {
  cilk_spawn;
}

