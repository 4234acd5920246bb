// A compound literal whose address a spawned statement takes lives as long as the block around.
// RUN: %cilk_c_ir -std=c11 -pedantic-errors %s | FileCheck %s
// RUN: %cilk_c_ir -std=c23 -pedantic-errors %s | FileCheck %s
#include <cilk/cilk.h>
struct pair { long a, b; };
long *f(long *), g(struct pair);

// CHECK-LABEL: define {{.*}} @places
// CHECK:     void @__nopal_begin(i32 noundef [[A:[0-9]+]],
// CHECK:     call void @__nopal_literal(i32 noundef [[A]], ptr noundef [[LITERAL:%.*]])
// CHECK:     call ptr @f(ptr noundef %{{.*}})
// CHECK:     void @__nopal_begin(i32 noundef [[B:[0-9]+]],
// CHECK:     call void @__nopal_literal(i32 noundef [[B]],
// CHECK:     call void @__nopal_end(i32 noundef [[B]])
// CHECK:     void @__nopal_block_begin(i32 noundef [[C:[0-9]+]],
// CHECK:     call void @__nopal_literal(i32 noundef [[C]],
// CHECK-NOT: @__nopal_literal
// CHECK:     ret void
void places(void) {
  long *p = cilk_spawn f((long[]){1, 2}), *q;
  cilk_spawn f(&(struct pair){1, 2}.b);
  cilk_spawn q = f(&(long){1});
  cilk_spawn g((struct pair){1, 2});
  cilk_spawn { f(&(long){1}); }
  cilk_sync;
  f(&(long){3});
}
