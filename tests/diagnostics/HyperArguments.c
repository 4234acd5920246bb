// A hyperobject has two callbacks.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

int cilk_reducer(zero, plus, zero) three;    // expected-error {{'cilk_reducer' with 3 arguments}} expected-note {{write 'cilk_reducer(identity, reduce)'}}
