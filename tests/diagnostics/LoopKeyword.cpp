// The pragma of a parallel loop stands before a for.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
#pragma cilk for  // expected-error {{'cilk_for' is not followed by 'for'}} expected-note {{write 'cilk_for (int i = 0; i < n; ++i)', or the pragma right before a 'for'}}
  while (n)
    --n;
#pragma cilk for
  for (int i = 0; i < n; ++i)
    f(i);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
