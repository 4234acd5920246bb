// A stride is an integer.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 1; i < n; i += 1.5)  // expected-error {{stride of 'cilk_for' has type 'double'}} expected-note {{a stride is an integer}}
    f(i);
}
