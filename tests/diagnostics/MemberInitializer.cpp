// The initializer of a member is no statement of the constructor.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

struct S {
  int a = cilk_spawn f(1);  // expected-error {{'cilk_spawn' in the initializer of a member}} expected-note {{assign to the member in the body of the constructor}}
  int b;
  S() : b(cilk_spawn f(2)) {}  // expected-error {{'cilk_spawn' in the initializer of a member}} expected-note {{assign to the member}}
};
