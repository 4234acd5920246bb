// Statements that are the child as a whole: no call in them is the spawned one.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s --implicit-check-not=__nopal_spawned
#include <cilk/cilk.h>
int f(int), g(int);

// CHECK-LABEL: define {{.*}} @_Z6blocksPii
void blocks(int *p, int n) {
  int x;
  // CHECK: call void @__nopal_block_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call {{.*}} @_Z1gi({{.*}}){{$}}
  // CHECK: call {{.*}} @_Z1fi({{.*}}){{$}}
  // CHECK: call void @__nopal_end(i32 noundef [[#ID]])
  cilk_spawn x = f(g(n));
  // CHECK-NEXT: call void @__nopal_outer(i32 noundef [[#ID+1]], ptr noundef %x)
  // CHECK-NEXT: call void @__nopal_block_begin(i32 noundef [[#ID+1]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_end(i32 noundef [[#ID+1]])
  cilk_spawn { x = f(1); }
  // CHECK-NEXT: call void @__nopal_block_begin(i32 noundef [[#ID+2]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: for.cond:
  // CHECK: for.end:
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID+2]])
  cilk_spawn for (int i = 0; i < n; ++i) f(i);
  // CHECK-NEXT: call void @__nopal_block_begin(i32 noundef [[#ID+3]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_end(i32 noundef [[#ID+3]])
  cilk_spawn delete p;
  // CHECK-NEXT: call void @__nopal_block_begin(i32 noundef [[#ID+4]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK-NEXT: call void @__nopal_end(i32 noundef [[#ID+4]])
  cilk_spawn {}
  // CHECK: if.then:
  // CHECK-NEXT: call void @__nopal_outer(i32 noundef [[#ID+5]], ptr noundef %x)
  // CHECK-NEXT: call void @__nopal_block_begin(i32 noundef [[#ID+5]], ptr noundef @{{.*}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}}, i32 noundef {{[0-9]+}})
  // CHECK: call void @__nopal_end(i32 noundef [[#ID+5]])
  // CHECK-NEXT: br label %if.end
  if (n)
    cilk_spawn if (x) f(2);
}
