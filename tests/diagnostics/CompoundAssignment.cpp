// A compound assignment reads its left side, and it is not clear when.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void compound(int x) {
  x += cilk_spawn f(1);   // expected-error {{'cilk_spawn' on the right side of '+='}} expected-note {{assign the result to a variable of its own, and apply '+=' after 'cilk_sync'}}
  x <<= cilk_spawn f(2);  // expected-error {{'cilk_spawn' on the right side of '<<='}} expected-note {{apply '<<=' after 'cilk_sync'}}
}
