// The increment stands in the header.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 0; i < n;)  // expected-error {{'cilk_for' without an increment}} expected-note {{the number of iterations is computed before the first one; write 'cilk_for (int i = 0; i < n; ++i)'}}
    f(i);
}
