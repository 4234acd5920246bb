// A callback is a function that the compiler knows.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

void (*variable)(void *) = zero;
int cilk_reducer(0, plus) none;  // expected-error {{a callback of 'cilk_reducer' is no function that is known here}} expected-note {{name the functions: 'void identity(void *view)' and 'void reduce(void *left, void *right)'}}
int get(void) { return none; }
int cilk_reducer(variable, plus) other;   // expected-error {{requires parameter 1 to be a constant expression}} expected-note-re 0+ {{{{.*}}}}
int cilk_reducer(plus, zero) exchanged;   // expected-error {{incompatible function pointer types}} expected-error {{incompatible function pointer types}}
int use(void) { return exchanged; }
