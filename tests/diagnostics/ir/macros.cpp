// Keywords in macros, in their arguments, and made by pasting.
// RUN: %cilk_cxx_ir -Wall -Wextra -Werror -fno-exceptions %s | FileCheck %s
#include <cilk/cilk.h>
#define FORK(a, b) cilk_spawn a; b; cilk_sync
#define PASS(...) __VA_ARGS__
#define PASTE(word) cilk_##word
#define ALIAS cilk_spawn
#define TWO(a) cilk_spawn a; _Cilk_spawn a
int f(int);

// CHECK-LABEL: define {{.*}} @_Z6macrosi
void macros(int i) {
  // CHECK: call void @__nopal_begin
  // CHECK: call void @__nopal_sync
  FORK(f(1), f(2));
  // CHECK: call void @__nopal_block_begin
  PASS(PASS(cilk_spawn { f(3); f(4); } f(5);))
  // CHECK-COUNT-4: call void @__nopal_begin
  PASTE(spawn) f(6);
  ALIAS f(7);
  TWO(f(8));
  // CHECK: if.then:
  // CHECK-NEXT: call void @__nopal_begin
  if (i)
    ALIAS f(9);
  f(10);
}
