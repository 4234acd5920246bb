// A statement expression is in the middle of another statement.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int group(int x) {
  x += ({ cilk_spawn f(1); f(2); });  // expected-error {{'cilk_spawn' inside a statement expression is not supported}} expected-note {{a steal would divide the expression around it, so this is permanent: move the statements into a function or a lambda}}
  x += ({ int y = cilk_spawn f(1); cilk_sync; y; });  // expected-error {{'cilk_spawn' inside a statement expression is not supported}} expected-note {{permanent}}
  // expected-error@-1 {{'cilk_sync' inside a statement expression is not supported}} expected-note@-1 {{permanent}}
  x += ({ cilk_for (int i = 0; i < 9; ++i) f(i); x; });  // expected-error {{'cilk_for' inside a statement expression is not supported}} expected-note {{permanent}}
  return x;
}
