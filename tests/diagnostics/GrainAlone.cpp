// A grain belongs to a loop.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
#pragma cilk grainsize = 4  // expected-error {{'#pragma cilk grainsize' is not followed by 'cilk_for'}} expected-note {{write the pragma right before the loop whose grain it is}}
  f(n);
#pragma cilk grainsize 4  // expected-error {{'#pragma cilk grainsize' is not followed by 'cilk_for'}} expected-note {{write the pragma}}
#pragma cilk grainsize 8
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk_grainsize = 4  // expected-error {{'#pragma cilk grainsize' is not followed by 'cilk_for'}} expected-note {{write the pragma}}
  cilk_spawn f(n);
}
