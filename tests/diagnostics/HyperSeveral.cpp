// A keyword before the first declarator would apply to all of them.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

long cilk_reducer(zero, plus) a, b;       // expected-error {{several declarators after one 'cilk_reducer'}} expected-note {{'b' is declared here; declare each in a statement of its own, or name the type by a 'typedef'}}
void f() {
  long cilk_reducer(zero, plus) c = 0, *d = 0;  // expected-error {{several declarators}} expected-note {{'d' is declared here}}
  (void)d, (void)c;
}
struct S {
  long cilk_reducer(zero, plus) e, g[2];  // expected-error {{several declarators}} expected-note {{'g' is declared here}}
};
typedef long cilk_reducer(zero, plus) Sum;
Sum h, i;
long *cilk_reducer(zero, plus) j, k;      // binds to j alone
