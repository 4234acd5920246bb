// An element of a vector type has no address.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
float f(int);
typedef float Vector __attribute__((ext_vector_type(4)));

void elements(Vector *v) {
  v->x = cilk_spawn f(1);   // expected-error {{'cilk_spawn' assigns to a left side that has no address}} expected-note {{assign the result to a variable, and use the variable after 'cilk_sync'}}
  (*v)[1] = cilk_spawn f(2);  // expected-error {{'cilk_spawn' assigns to a left side that has no address}} expected-note {{assign the result}}
}
