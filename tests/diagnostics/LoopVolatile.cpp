// A control variable is not shared, so volatile has no meaning.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_c_verify -std=c17 -x c %s
#include <cilk/cilk.h>
int f(int);

void loop(volatile int *p, volatile int n) {
  cilk_for (volatile int i = 0; i < 9; ++i)  // expected-warning {{control variable 'i' of 'cilk_for' is volatile}} expected-note {{every iteration has a copy of its own, which nothing else changes; remove 'volatile'}}
    f(i);
  cilk_for (volatile int *q = p; q < p + 9; ++q)
    f(*q);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
