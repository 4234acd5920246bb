// A result is a value.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

long cilk_reducer(zero, plus) f();    // expected-error {{'cilk_reducer' of the result of function 'f'}} expected-note {{return the value, or a pointer or reference to the hyperobject}}
long cilk_reducer(zero, plus) &g();
long cilk_reducer(zero, plus) *h();

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 2 {{return the value, or a pointer or reference to the hyperobject}}
auto i = []() -> Sum { return 1; };  // expected-error {{'cilk_reducer' of the result of function 'operator()'}}
Sum j();                             // expected-error {{'cilk_reducer' of the result of function 'j'}}
