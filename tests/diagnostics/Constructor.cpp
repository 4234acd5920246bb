// A constructor is not a call of a function.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
struct T {
  T(int);
};

void constructs(T *t) {
  cilk_spawn T(1);      // expected-error {{'cilk_spawn' of a constructor of 'T'}} expected-note {{spawn a function that returns the object, or a block that makes it}}
  cilk_spawn T{2};      // expected-error {{'cilk_spawn' of a constructor of 'T'}} expected-note {{spawn a function}}
  T x = cilk_spawn T(3);  // expected-error {{'cilk_spawn' of a constructor of 'T'}} expected-note {{spawn a function}}
  *t = cilk_spawn T(4);  // expected-error {{'cilk_spawn' of a constructor of 'T'}} expected-note {{spawn a function}}
}
