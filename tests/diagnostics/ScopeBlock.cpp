// A cilk_scope is a block.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void scope() {
  cilk_scope f(1);  // expected-error {{'cilk_scope' is not followed by a block}} expected-note {{write 'cilk_scope { ... }'}}
}
