// The compiler does not know the classes of <cilk/reducer>.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

struct Callbacks {} callbacks;
int cilk_reducer(callbacks) one;  // expected-error {{'cilk_reducer' with fewer than two callbacks needs a header}} expected-note {{include <cilk/reducer>}}
int get() { return one; }
