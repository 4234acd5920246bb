// A spawned return value is needed at once.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int result() {
  return cilk_spawn f(1);  // expected-warning {{'cilk_spawn' in a return statement gives no parallelism}} expected-note {{nothing is left for the parent to do; remove the keyword}}
}
