// The limit is the same in all iterations.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 0; i < n - i; ++i)  // expected-error {{limit of 'cilk_for' depends on its control variable 'i'}} expected-note {{the limit is evaluated once, before the first iteration}}
    f(i);
  cilk_for (int i = 0; [&] { return n - i; }() > i; ++i)  // expected-error {{limit of 'cilk_for' depends on its control variable 'i'}} expected-note {{the limit is evaluated once}}
    f(i);
}
