// The result of a spawn is not ready for the rest of an expression.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
void g(int);

void arithmetic(int x) {
  int y = x + cilk_spawn f(1);  // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{spawn in a statement of its own that assigns the result to a variable, and use the variable after 'cilk_sync'}}
  g(cilk_spawn f(2));           // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  y = x ? cilk_spawn f(3) : 0;  // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  x = y = cilk_spawn f(4);      // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  x = 1, y = cilk_spawn f(5);   // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  int z[2] = {1, 2 + _Cilk_spawn f(6)};  // expected-error {{'_Cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  [k = cilk_spawn f(7)] { g(k); }();  // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
}

template <class T> T instance(T x) {
  T y = x + cilk_spawn f(1);  // expected-error {{'cilk_spawn' inside a larger expression}} expected-note {{statement of its own}}
  return y;
}
template int instance(int);
template long instance(long);
