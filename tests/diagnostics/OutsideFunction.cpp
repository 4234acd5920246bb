// There is no continuation outside a function.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int variable = cilk_spawn f(1);  // expected-error {{'cilk_spawn' in the initializer of 'variable' outside a function}} expected-note {{only the statements of a function can be spawned}}
namespace inner {
int second = cilk_spawn f(2);  // expected-error {{'cilk_spawn' in the initializer of 'second' outside a function}} expected-note {{only the statements}}
}
int (*lambda)() = [] {  // A lambda's body is a function.
  int x = cilk_spawn f(3);
  f(4);
  cilk_sync;
  return x;
};
