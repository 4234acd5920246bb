// A sync that the parser drops is an error.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
int a = sizeof(int[(cilk_sync, 1)]);  // expected-error {{'cilk_sync' is not a statement here}} expected-note {{write it as a statement in the body of a function}}
