// The stride is the same in all iterations.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 1; i < n; i += i)  // expected-error {{stride of 'cilk_for' depends on its control variable 'i'}} expected-note {{the stride is evaluated once, before the first iteration}}
    f(i);
  cilk_for (int i = 1; i < n; i = i + f(i))  // expected-error {{stride of 'cilk_for' depends on its control variable 'i'}} expected-note {{the stride is evaluated once}}
    f(i);
}
