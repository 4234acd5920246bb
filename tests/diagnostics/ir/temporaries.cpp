// Temporaries of the statement die in the child, after the call.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
namespace std {
template <class> struct tuple_size;
template <unsigned long, class> struct tuple_element;
}
struct Text {
  Text(const char *);
  Text(const Text &);
  ~Text();
};
struct Table {
  int &operator[](const Text &);
};
int f(Text, const Text &);
Text make(int);
int g(int);

// CHECK-LABEL: define {{.*}} @_Z9argumentsv
void arguments() {
  // CHECK: call void @__nopal_begin
  // CHECK-NEXT: call void @_ZN4TextC1EPKc
  // CHECK-NEXT: call void @_ZN4TextC1EPKc
  // CHECK-NEXT: call void @__nopal_spawned()
  // CHECK-NEXT: [[RESULT:%.*]] = call {{.*}} @_Z1f4TextRKS_({{.*}})
  // CHECK-NEXT: call void @_ZN4TextD1Ev
  // CHECK-NEXT: call void @_ZN4TextD1Ev
  // CHECK-NEXT: store i32 [[RESULT]], ptr %x
  // CHECK-NEXT: call void @__nopal_made({{.*}} %x)
  // CHECK-NEXT: call void @__nopal_end
  int x = cilk_spawn f("a", "b");
}

// CHECK-LABEL: define {{.*}} @_Z4leftR5Table
void left(Table &table) {
  // CHECK: call void @__nopal_begin
  // CHECK: call void @_ZN4TextC1EPKc
  // CHECK: call {{.*}} @_ZN5TableixERK4Text
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_Z1gi(i32 noundef 1)
  // CHECK: store i32
  // CHECK-NEXT: call void @_ZN4TextD1Ev
  // CHECK-NEXT: call void @__nopal_end
  table["key"] = cilk_spawn g(1);
}

// A result is built in place; its destructor is the scope's.
// CHECK-LABEL: define {{.*}} @_Z8in_placev
void in_place() {
  // CHECK: call void @__nopal_begin
  // CHECK-NEXT: call void @__nopal_spawned()
  // CHECK-NEXT: call void @_Z4makei(ptr {{.*}} %text, i32 noundef 1)
  // CHECK-NEXT: call void @__nopal_made(i32 noundef {{[0-9]+}}, ptr noundef %text)
  // CHECK-NEXT: call void @__nopal_end
  Text text = cilk_spawn make(1);
  // CHECK: call {{.*}} @_Z1gi(i32 noundef 2)
  // CHECK-NEXT: call void @__nopal_sync_cleanup
  // CHECK-NEXT: call void @_ZN4TextD1Ev({{.*}} %text)
  g(2);
}

// What lives on in another way is said to be made too: what a reference is bound to, and the parts of a structured
// binding that functions give, which may be temporaries.
// CHECK-LABEL: define {{.*}} @_Z5boundv
struct Pair { int first, second; };
template <> struct std::tuple_size<Pair> { static constexpr unsigned long value = 2; };
template <unsigned long I> struct std::tuple_element<I, Pair> { using type = Text; };
template <int I> Text get(const Pair &);
Pair pair();
void bound() {
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_Z1gi(i32 noundef 1)
  // CHECK: store ptr %[[TEMPORARY:.*]], ptr %r
  // CHECK-NEXT: [[BOUND:%.*]] = load ptr, ptr %r
  // CHECK-NEXT: call void @__nopal_made({{.*}} [[BOUND]])
  // CHECK-NEXT: call void @__nopal_end
  const double &r = cilk_spawn g(1);
  // CHECK: call void @__nopal_spawned()
  // CHECK-NEXT: call {{.*}} @_Z4pairv()
  // CHECK: call {{.*}} @_Z3getILi0EE4TextRK4Pair(
  // CHECK: store ptr %{{.*}}, ptr %a
  // CHECK: call {{.*}} @_Z3getILi1EE4TextRK4Pair(
  // CHECK: store ptr %{{.*}}, ptr %b
  // CHECK-NEXT: call void @__nopal_made({{.*}} %0)
  // CHECK: [[BOUND:%.*]] = load ptr, ptr %a
  // CHECK-NEXT: call void @__nopal_made({{.*}} [[BOUND]])
  // CHECK: [[BOUND:%.*]] = load ptr, ptr %b
  // CHECK-NEXT: call void @__nopal_made({{.*}} [[BOUND]])
  // CHECK-NEXT: call void @__nopal_end
  auto [a, b] = cilk_spawn pair();
  // The temporaries that the parts are bound to have destructors: the implicit sync comes before them.
  // CHECK: call {{.*}} @_Z1gi(i32 noundef 2)
  // CHECK-NEXT: call void @__nopal_sync_cleanup
  // CHECK-NEXT: call void @_ZN4TextD1Ev
  // CHECK-NEXT: call void @_ZN4TextD1Ev
  g(2);
}
