// A view is reduced as a whole.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

struct Inside {
  long cilk_reducer(zero, plus) sum;  // expected-note {{the hyperobject inside is declared here; keep hyperobjects side by side}}
};
Inside cilk_reducer(zero, plus) outer;  // expected-error {{'cilk_reducer' of 'Inside', which contains a hyperobject}}

typedef long cilk_reducer(zero, plus) Sum;
Sum cilk_reducer(zero, plus) twice;  // expected-error {{of 'Sum', which contains a hyperobject}} expected-note {{keep hyperobjects side by side}}
Sum *cilk_reducer(zero, plus) a_pointer_is_none;
