// A slow clone and its parts test for the same types as the fast clone, of those that have a name in
// their module only, too.
// RUN: %clangxx -O2 -flto -fvisibility=hidden -fsanitize=cfi-vcall -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: %clangxx -O2 -g -flto -fvisibility=hidden -fsanitize=cfi-vcall -mllvm -nopal-spawns-of-part=1 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,PART
#include <cilk/cilk.h>

namespace {
struct Base {
  virtual void f() {}
};
struct Derived : Base {
  void f() override;
};
} // namespace
void child() noexcept;
void Derived::f() { child(); }

void work(bool b) {
  static Base base;
  static Derived derived;
  Base &object = b ? base : derived;
  cilk_spawn child();
  object.f();
  cilk_spawn child();
  object.f();
  cilk_sync;
}

// CHECK-LABEL: define {{.*}}void @_Z4workb(
// CHECK:         @llvm.type.test(ptr %{{.*}}, metadata ![[NAME:[0-9]+]])
// CHECK-LABEL: define internal ptr @_Z4workb.slow(
// CHECK:         @llvm.type.test(ptr %{{.*}}, metadata ![[NAME]])
// WHOLE:         @llvm.type.test(ptr %{{.*}}, metadata ![[NAME]])
// PART-LABEL:  define internal ptr @_Z4workb.slow.1(
// PART:          @llvm.type.test(ptr %{{.*}}, metadata ![[NAME]])
