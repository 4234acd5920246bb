// A grain is an expression.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
#pragma cilk grainsize  // expected-error {{'#pragma cilk grainsize' without an expression}} expected-note {{write '#pragma cilk grainsize N'; 0 is the default grain}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize =  // expected-error {{'#pragma cilk grainsize' without an expression}} expected-note {{write}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
