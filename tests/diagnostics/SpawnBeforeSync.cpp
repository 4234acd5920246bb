// Between a spawn and a sync there has to be work.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int before() {
  int x = cilk_spawn f(1);  // expected-warning {{'cilk_spawn' right before a sync gives no parallelism}}
  cilk_sync;  // expected-note {{the sync is here; remove the keyword, or do work between them}}
  cilk_spawn f(2);
  f(3);
  cilk_sync;
  return x;
}
