// The uses of a hyperobject in a lambda that stands in a type are views, too.
// RUN: %cilk_cxx -std=c++20 -S -emit-llvm -o - %s | FileCheck %s
#include <cilk/cilk.h>
void zero(void *view);
void plus(void *left, void *right);
long cilk_reducer(zero, plus) sum;
template <auto Function>
struct Of {
  void call() { Function(); }
};

// CHECK: define internal {{.*}}clEv
// CHECK: call {{.*}}@nopal_find_view
decltype([] { sum += 1; }) of_type;
// CHECK: define internal {{.*}}clEv
// CHECK: call {{.*}}@nopal_find_view
Of<[] { sum += 1; }> of_argument;

void f() {
  of_type();
  of_argument.call();
}
