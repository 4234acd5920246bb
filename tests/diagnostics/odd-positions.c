// The same in C: old definitions, initializers, statement expressions, labels, and declarations that do not exist.
// RUN: not %cilk_c -std=gnu17 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
// CHECK-NOT: {{PLEASE submit|Stack dump}}
// CHECK: errors generated
#include <cilk/cilk.h>
int f(int); struct s { int a, b; } sf(void);
int k1(n) int n; { int x = cilk_spawn f(n); return x; }
void k2(void) { int a[3] = {cilk_spawn f(1), [2] = cilk_spawn f(2)}; struct s q = {.a = cilk_spawn f(1)}; struct s r = (struct s){cilk_spawn f(1)}; }
void k3(void) { __auto_type x = cilk_spawn f(1); x++; int y = ({ cilk_spawn f(1); 3; }); _Generic(cilk_spawn f(1), int: 3); typeof(cilk_spawn f(1)) z; z = sizeof(cilk_spawn f(1)); }
void k4(int n) { int v[n]; v[0] = cilk_spawn f(1); int w = v[0]; __builtin_va_list ap; cilk_spawn __builtin_trap(); x = cilk_spawn f(n); }
void k5(void) { struct s q; q = cilk_spawn sf(); q.a = q.b; int x = (cilk_spawn sf()).a; x += cilk_spawn f(1); x++; *&x = cilk_spawn f(1); x = x = cilk_spawn f(1); }
void k6(void) { for (int i = 0; i < 3; i++) cilk_spawn f(i), f(2); cilk_spawn if (1) f(1); else f(2); cilk_spawn for (;;) break; cilk_spawn switch (1) { default: f(1); } }
void k7(void) { label: cilk_spawn f(1); goto label; cilk_spawn label2: f(1); asm goto("" :::: label); }
void k8(void) { int x; ({ x = cilk_spawn f(1); }); __extension__ cilk_spawn f(1); (void)cilk_spawn f(1); !cilk_spawn f(1); &cilk_spawn f; x = (cilk_spawn f(1)); x = (int)cilk_spawn f(1); }
