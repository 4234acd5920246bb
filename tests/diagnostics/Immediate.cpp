// An immediate function runs in the compiler.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
consteval int f(int x) { return x; }

void immediate(int x) {
  x = cilk_spawn f(1);  // expected-error {{'cilk_spawn' of immediate function 'f'}} expected-note {{the call is evaluated while compiling; remove the keyword}}
}
