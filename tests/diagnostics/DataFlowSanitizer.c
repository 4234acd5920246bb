// The data-flow sanitizer keeps the labels of arguments by thread, and a continuation may change threads.
// RUN: %cilk_c_verify -std=c11 -fsanitize=dataflow %s
#include <cilk/cilk.h>
int f(int);

int g(int n) {
  int x = cilk_spawn f(n);  // expected-error {{'cilk_spawn' is not supported with '-fsanitize=dataflow'}} expected-note {{follow the data of the serial elision}}
  int y = f(n);
  cilk_sync;  // expected-error {{'cilk_sync' is not supported with '-fsanitize=dataflow'}} expected-note {{the serial elision}}
  return x + y;
}
