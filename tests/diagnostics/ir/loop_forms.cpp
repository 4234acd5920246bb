// A cilk_for: the count before the begin, then a serial loop over the bounds with a variable of its own.
// RUN: %cilk_cxx_ir -std=c++20 -fno-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
void f(long);
long limit(), stride();

// CHECK-LABEL: define {{.*}} @_Z5countv
void count() {
  // The limit, once, and not in the leaf.
  // CHECK: call {{.*}} @_Z5limitv
  // CHECK-NOT: call {{.*}} @_Z5limitv
  // CHECK: udiv i64
  // CHECK: store i64 {{.*}}, ptr %__nopal_count
  // CHECK: [[COUNT:%.*]] = load i64, ptr %__nopal_count
  // CHECK-NEXT: call void @__nopal_loop_begin(i32 noundef [[#ID:]], ptr noundef @{{.*}}, i32 noundef [[#@LINE+8]], i32 noundef 3, i32 noundef 0, i64 noundef [[COUNT]], i64 noundef 0)
  // CHECK-NEXT: call i64 @__nopal_loop_low(i32 noundef [[#ID]]) [[NOTHROW:#[0-9]+]]
  // CHECK: call i64 @__nopal_loop_high(i32 noundef [[#ID]]) [[NOTHROW]]
  // CHECK: icmp ult i64
  // CHECK: store i32 {{.*}}, ptr %i,
  // CHECK: load i32, ptr %i,
  // CHECK: call void @_Z1fl
  // CHECK: call void @__nopal_loop_end(i32 noundef [[#ID]]) [[NOTHROW]]
  cilk_for (int i = 0; i < limit(); i += 2) f(i);
  // CHECK: ret void
}

// CHECK-LABEL: define {{.*}} @_Z4onceiPc
void once(int n, char *p) {
  // CHECK: call {{.*}} @_Z5limitv
  // CHECK: call {{.*}} @_Z6stridev
  // CHECK: call void @__nopal_loop_begin(
  // CHECK-NOT: @_Z5limitv
  // CHECK-NOT: @_Z6stridev
  // CHECK: call void @__nopal_loop_end(
  cilk_for (long i = n; i >= limit(); i -= stride()) f(i);
  // CHECK: sub i64 %{{.*}}
  // CHECK: call void @__nopal_loop_begin(
  // CHECK: getelementptr inbounds i8
  // CHECK: store ptr %{{.*}}, ptr %q,
  // CHECK: call void @__nopal_loop_end(
  cilk_for (char *q = p; q != p + n; ++q) f(*q);
}

struct Iterator {
  Iterator(const Iterator &);
  ~Iterator();
  long operator*() const;
  Iterator &operator++();
  Iterator &operator+=(long);
  bool operator==(const Iterator &) const;
  long operator-(const Iterator &) const;
};
struct Range {
  Iterator begin(), end();
};

// CHECK-LABEL: define {{.*}} @_Z9iteratorsR5Range
void iterators(Range &r) {
  // CHECK: call {{.*}} @_ZN5Range5beginEv(ptr {{.*}} %__nopal_start
  // CHECK: call {{.*}} @_ZN5Range3endEv(
  // CHECK: call {{.*}} @_ZNK8IteratormiERKS_(
  // CHECK: call void @__nopal_loop_begin(
  // CHECK: call {{.*}} @_ZN8IteratorC1ERKS_(ptr {{.*}} %__begin1, ptr {{.*}} %__nopal_start)
  // CHECK: call {{.*}} @_ZN8IteratorpLEl(ptr {{.*}} %__begin1,
  // CHECK: call {{.*}} @_ZNK8IteratordeEv(ptr {{.*}} %__begin1)
  // CHECK: call void @_Z1fl
  // CHECK: call {{.*}} @_ZN8IteratorD1Ev(ptr {{.*}} %__begin1)
  // CHECK: call void @__nopal_loop_end(
  // CHECK: call {{.*}} @_ZN8IteratorD1Ev(ptr {{.*}} %__end1)
  // CHECK: call {{.*}} @_ZN8IteratorD1Ev(ptr {{.*}} %__nopal_start)
  cilk_for (long x : r) f(x);
}
// CHECK: attributes [[NOTHROW]] = { nounwind }
