// The control variable is declared in the header.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  int i;
  cilk_for (i = 0; i < n; ++i)  // expected-error {{'cilk_for' does not declare its control variable}} expected-note {{write 'cilk_for (int i = 0; i < n; ++i)'}}
    f(i);
  _Cilk_for (; i < n; ++i)  // expected-error {{'_Cilk_for' does not declare its control variable}} expected-note {{write '_Cilk_for (int i = 0; i < n; ++i)'}}
    f(i);
}
