// The limit of an integer is an integer.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(double n) {
  cilk_for (int i = 0; i < n; ++i)  // expected-error {{limit of 'cilk_for' is compared as type 'double'}} expected-note {{the limit for an integer is an integer}}
    f(i);
  cilk_for (int i = 0; i < (int)n; ++i)
    f(i);
}
