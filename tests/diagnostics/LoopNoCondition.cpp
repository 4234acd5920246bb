// A loop without a condition has no range to divide.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop() {
  cilk_for (int i = 0;; ++i)  // expected-error {{'cilk_for' without a condition}} expected-note {{the number of iterations is computed before the first one; write 'cilk_for (int i = 0; i < n; ++i)'}}
    f(i);
}
