// A constant is computed while compiling.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
constexpr int f(int x) { return x; }

void constants() {
  constexpr int x = cilk_spawn f(1);  // expected-error {{'cilk_spawn' in the initializer of constant 'x'}} expected-note {{remove 'constexpr', or call without spawning}}
}
