// A view has an address.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

struct S {
  int cilk_reducer(zero, plus) bits : 3;  // expected-error {{'cilk_reducer' of bit-field 'bits'}} expected-note {{a view has an address}}
};
