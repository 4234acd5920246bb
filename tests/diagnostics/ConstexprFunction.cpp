// A constexpr function may run in the compiler.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
constexpr int f(int x) { return x; }

constexpr int fixed(int x) {
  int y = cilk_spawn f(x);  // expected-error {{'cilk_spawn' inside constexpr function 'fixed' is not supported}} expected-note {{remove 'constexpr' from the function}}
  f(x);
  return y;
}
auto implicitly = [](int x) {
  int y = cilk_spawn f(x);
  f(x);
  cilk_sync;
  return y;
};
constexpr void loop(int n) {
  cilk_for (int i = 0; i < n; ++i)  // expected-error {{'cilk_for' inside constexpr function 'loop' is not supported}} expected-note {{remove 'constexpr'}}
    f(i);
}
auto loop_in_lambda = [](int n) {
  cilk_for (int i = 0; i < n; ++i)
    f(i);
};
