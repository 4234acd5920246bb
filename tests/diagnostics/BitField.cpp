// A child cannot store a part of a word that others store to.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
struct Flags {
  int low : 3;
  int whole;
};

void fields(Flags *p) {
  p->low = cilk_spawn f(1);  // expected-error {{'cilk_spawn' assigns to bit-field 'low'}} expected-note {{assign the result to a variable, and the variable to the bit-field after 'cilk_sync'}}
  p->whole = cilk_spawn f(2);
  cilk_spawn { p->low = f(3); }
}
