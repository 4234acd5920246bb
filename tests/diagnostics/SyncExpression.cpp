// A sync has no value.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void values(int x) {
  cilk_spawn f(1);
  f(2);
  x ? cilk_sync : cilk_sync;  // expected-error 2{{'cilk_sync' inside an expression}} expected-note 2{{write 'cilk_sync;' as a statement of its own}}
  for (;; cilk_sync)  // expected-error {{'cilk_sync' inside an expression}} expected-note {{statement of its own}}
    break;
}
