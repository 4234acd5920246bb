// Two strands write the same variable, without a sync between them.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <string>
#include <vector>

int f(int); int *p(int); void g(int); void h(int&); void k(int*); bool c(int);
struct S { int a, b; int sum() const { return a + b; } };
S s(int); std::string str(int); std::vector<int> vec(int);
void r24() { int x = cilk_spawn f(0); x = 3; cilk_sync; }  // expected-warning {{'x' is written before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it, too, is spawned here}}
int r42(int n) { int x; x = cilk_spawn f(n); x = cilk_spawn f(n); cilk_sync; return x; }  // expected-warning {{'x' is written before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it, too, is spawned here}}
int r43(int n) { int x; x = cilk_spawn f(n); x += f(2); cilk_sync; return x; }  // expected-warning {{'x' is written before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it, too, is spawned here}}
