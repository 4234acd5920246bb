// Each iteration has its own control variable.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
int k;

void loop(int n) {
  cilk_for (int i = 0; i < n; ++n)  // expected-error {{'n' cannot be the control variable of 'cilk_for'}} expected-note {{a control variable is an automatic variable with an initializer; declare it in the header}}
    f(i);
  cilk_for (int i = 0; i < n; ++k)  // expected-error {{'k' cannot be the control variable of 'cilk_for'}} expected-note {{declare it in the header}}
    f(i);
  cilk_for (static int i = 0; i < n; ++i)  // expected-error {{'i' cannot be the control variable of 'cilk_for'}} expected-note {{an automatic variable}}
    f(i);
  cilk_for (int i; i < n; ++i)  // expected-error {{'i' cannot be the control variable of 'cilk_for'}} expected-note {{with an initializer}}
    f(i);
  cilk_for (int i = 0, j = n; j > 0; --j)
    f(i);
}
