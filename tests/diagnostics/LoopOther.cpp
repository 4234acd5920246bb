// Other variables of the header are computed before the loop.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 0, j = i + 1; i < n; ++i)  // expected-error {{initializer of 'j' uses the control variable of 'cilk_for'}} expected-note {{declare 'j' before the loop or in its body}}
    f(j);
  cilk_for (int i = 0, *p = &i; i < n; ++i)  // expected-error {{initializer of 'p' uses the control variable of 'cilk_for'}} expected-note {{declare 'p'}}
    f(*p);
  cilk_for (int j = 1, i = j, m = n + j; i < m; ++i)
    f(j);
}
