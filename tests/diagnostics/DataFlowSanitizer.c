// The data-flow sanitizer keeps the labels of arguments by thread, which a continuation may change.
// RUN: %cilk_c_verify -std=c11 -fsanitize=dataflow %s
#include <cilk/cilk.h>
int f(int);

int g(int n) {
  int x = cilk_spawn f(n);
  // expected-error@-1 {{'cilk_spawn' is not supported with '-fsanitize=dataflow'}}
  // expected-note@-2 {{follow the data of the serial elision}}
  int y = f(n);
  cilk_sync;
  // expected-error@-1 {{'cilk_sync' is not supported with '-fsanitize=dataflow'}}
  // expected-note@-2 {{follow the data of the serial elision}}
  return x + y;
}
