// Every instance is rewritten, also where instances share the statements that
// depend on no parameter.
// RUN: %cilk_cxx_ir -std=c++20 %s > %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: grep -A1 "call.*@__nopal_spawned" %t.ll | grep -cE "(call|invoke) .*@_Z1fi" | FileCheck --check-prefix=FLAGGED %s
#include <cilk/cilk.h>
int f(int);
int global;
struct Counted { ~Counted(); };

template <class T> T instance(T x) {
  cilk_spawn f(1);
  if (global) {
    cilk_spawn f(2);
    f(20);
    cilk_sync;
  }
  if (global)
    global = cilk_spawn f(3);
  try {
    cilk_spawn f(4);
    f(40);
  } catch (...) {
  }
  cilk_spawn { f(50); }
  auto lambda = [&](auto y) {
    T z = cilk_spawn f(y);
    f(60);
    return z;
  };
  return lambda(x);
}
template int instance(int);
template short instance(short);
template char instance(char);

// CHECK-LABEL: define {{.*}} @_Z8instanceIiET_S0_
// CHECK: %__nopal_region = alloca
// CHECK-COUNT-4: invoke void @__nopal_begin
// CHECK: invoke void @__nopal_block_begin
// CHECK: ret i32
// CHECK-LABEL: define {{.*}} @_ZZ8instanceIiET_S0_ENKUlS0_E_clIiEEDaS0_
// CHECK: {{call|invoke}} void @__nopal_begin
// CHECK-LABEL: define {{.*}} @_Z8instanceIsET_S0_
// CHECK: %__nopal_region = alloca
// CHECK-COUNT-4: invoke void @__nopal_begin
// CHECK: invoke void @__nopal_block_begin
// CHECK: ret i16
// CHECK-LABEL: define {{.*}} @_Z8instanceIcET_S0_
// CHECK: %__nopal_region = alloca
// CHECK-COUNT-4: invoke void @__nopal_begin
// CHECK: invoke void @__nopal_block_begin
// CHECK: ret i8
// Four in each of three instances, one in each lambda, three below.
// FLAGGED: 18

// Bodies that only the walk at the end finds.
template <class T> int variable = [] { int x = cilk_spawn f(70); f(71); return x; }();
void argument(int (*p)(int) = [](int i) { int x = cilk_spawn f(i); f(72); return x; });
struct Friendly {
  friend void befriended(Friendly *) { cilk_spawn f(73); f(74); }
};
void use(Friendly *p) {
  argument();
  befriended(p);
  global = variable<int>;
}
// CHECK-DAG: call void @__nopal_spawned(){{.*[[:space:]]+}}%call = invoke {{.*}} @_Z1fi(i32 noundef 70)
// CHECK-DAG: call void @__nopal_spawned(){{.*[[:space:]]+}}%call = invoke {{.*}} @_Z1fi(i32 noundef 73)
