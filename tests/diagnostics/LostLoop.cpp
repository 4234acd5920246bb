// A parallel loop that the parser drops is an error.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void hints(int n) {
  __typeof__(({ cilk_for (int i = 0; i < n; ++i) f(i); 0; })) x = 0;  // expected-error {{'cilk_for' is not a statement here}} expected-note {{write it as a statement in the body of a function}}
  f(x);
}
