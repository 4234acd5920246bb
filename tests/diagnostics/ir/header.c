// Without the plugin the header refuses, unless the serial program is wanted.
// RUN: not %plain_c -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %plain_c -std=c11 -DCILK_SERIAL -Wall -Wno-unknown-pragmas -Werror -S -emit-llvm -o - %s | FileCheck --check-prefix=SERIAL %s
// RUN: %cilk_c -std=c11 -DCILK_SERIAL -Wall -Werror -fsyntax-only %s
// RUN: %cilk_c -fsyntax-only %s
// RUN: %cilk_c -E %s | FileCheck --check-prefix=KEPT %s
#include <cilk/cilk.h>
// CHECK: error: "this compiler does not know Cilk: compile with nopal-clang
// SERIAL-LABEL: define {{.*}} @serial
// SERIAL-NOT: nopal
// KEPT: #pragma cilk spawn
#if !defined(CILK_SERIAL) && __cilk != 200
#error __cilk is not defined
#endif
int f(int);
int serial(int n) {
  int x = cilk_spawn f(n);
  cilk_scope { cilk_spawn f(1); f(2); }
#pragma cilk grainsize 4
  cilk_for (int i = 0; i < n; ++i) f(i);
  cilk_spawn { f(3); }
  f(4);
  cilk_sync;
  return x;
}
