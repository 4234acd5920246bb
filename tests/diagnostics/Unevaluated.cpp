// What is not evaluated is not spawned.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void operands() {
  unsigned long n = sizeof(cilk_spawn f(1));  // expected-error {{'cilk_spawn' in an operand that is not evaluated}} expected-note {{remove the keyword}}
  bool b = noexcept(cilk_spawn f(2));         // expected-error {{'cilk_spawn' in an operand that is not evaluated}} expected-note {{remove the keyword}}
}
