// A keyword that the parser drops is an error.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

long cilk_reducer(zero, plus) sum;  // found
enum cilk_reducer(zero, plus) Colour { red };  // expected-error 0+ {{}}
