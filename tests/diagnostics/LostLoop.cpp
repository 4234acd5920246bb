// A parallel loop that the parser dropped is never forgotten.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void hints(int n) {
#pragma clang loop unroll_count(4)
  cilk_for (int i = 0; i < n; ++i)  // expected-error {{'cilk_for' is not a statement here}} expected-note {{write it as a statement in the body of a function, without a '#pragma clang loop' before it}}
    f(i);
  cilk_for (int i = 0; i < n; ++i) {
#pragma clang loop unroll_count(4)
    for (int j = 0; j < n; ++j)
      f(j);
  }
}
