// A spawn of an empty statement does nothing.
// RUN: %cilk_cxx_verify -std=c++20 %s
// RUN: %cilk_c_verify -std=c17 -x c %s
#include <cilk/cilk.h>
int f(int);
#define CHILD

void nothing(int n) {
  cilk_spawn;  // expected-warning {{'cilk_spawn' of nothing}} expected-note {{remove it, or write the call that it spawns before the ';'}}
  f(1);
  if (n)
    _Cilk_spawn CHILD;  // expected-warning {{'_Cilk_spawn' of nothing}} expected-note {{remove it}}
#pragma clang diagnostic ignored "-Wpass-failed"
  cilk_spawn;
  cilk_spawn {}
}
