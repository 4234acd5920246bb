// A keyword that the parser drops is an error.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
struct T {
  T();
};
int f(int);

void declared() {
  cilk_spawn T(x);        // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call, an assignment or an initialization from a call, or a block}}
  cilk_spawn int y = f(1);  // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call}}
  cilk_spawn cilk_spawn f(2);  // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call}}
  decltype(cilk_spawn f(3)) z = 0;  // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call}}
  int a[cilk_spawn 4];  // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call}}
}
enum { Constant = cilk_spawn 1 };  // expected-error {{'cilk_spawn' is not part of a statement that can be spawned}} expected-note {{spawn a call}}
