// A serial loop has no grain.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
#pragma cilk grainsize = 4  // expected-warning {{'#pragma cilk grainsize' before a 'for' that is not parallel}} expected-note {{it means nothing here; write 'cilk_for', or remove the pragma}}
  for (int i = 0; i < n; ++i)
    f(i);
}
