// Only a call can be spawned without braces.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void values(int x) {
  cilk_spawn x;  // expected-error {{'cilk_spawn' of an expression that is not a call}} expected-note {{spawn a call, or the statement as a block: 'cilk_spawn { ... }'}}
  // expected-warning@-1 {{expression result unused}}
  int y = cilk_spawn x;       // expected-error {{'cilk_spawn' of an expression that is not a call}} expected-note {{spawn a call}}
  y = cilk_spawn (f(1) + 1);  // expected-error {{'cilk_spawn' of an expression that is not a call}} expected-note {{spawn a call}}
}
