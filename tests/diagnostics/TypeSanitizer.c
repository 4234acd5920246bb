// The type sanitizer was reported to find in clones what the serial program does not have.
// Not on LLVM 19, which has no type sanitizer.
// UNSUPPORTED: llvm-19
// RUN: %cilk_c_verify -std=c11 -fsanitize=type %s
#include <cilk/cilk.h>
int f(int);

int g(int n) {
  int x = cilk_spawn f(n); // expected-error {{'cilk_spawn' is not supported with '-fsanitize=type'}} expected-note {{in the serial elision}}
  int y = f(n);
  cilk_sync; // expected-error {{'cilk_sync' is not supported with '-fsanitize=type'}} expected-note {{in the serial elision}}
  return x + y;
}
