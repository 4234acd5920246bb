// A default argument is evaluated by every caller.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int defaults(int x = cilk_spawn f(1));  // expected-error {{'cilk_spawn' in a default argument}} expected-note {{spawn in the body of the function}}
struct S {
  void member(int x = cilk_spawn f(2)) {}  // expected-error {{'cilk_spawn' in a default argument}} expected-note {{body of the function}}
};
