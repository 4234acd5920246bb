// A static variable is initialized under a guard.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void statics() {
  static int once = cilk_spawn f(1);  // expected-error {{'cilk_spawn' in the initializer of 'once', which is not an automatic variable}} expected-note {{assign to 'once' in a statement of its own}}
  thread_local int each = cilk_spawn f(2);  // expected-error {{'cilk_spawn' in the initializer of 'each', which is not an automatic variable}} expected-note {{assign to 'each'}}
}
