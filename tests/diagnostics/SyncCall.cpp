// A sync is a statement, although its name looks like a function.
// RUN: %cilk_cxx_verify -std=c++20 %s
// RUN: %cilk_c_verify -std=c17 -x c %s
#include <cilk/cilk.h>
int f(int);

void parentheses() {
  cilk_spawn f(1);
  f(2);
  cilk_sync();  // expected-error {{'cilk_sync' is not a function}} expected-note {{write 'cilk_sync;' without parentheses}}
  f(3);
  _Cilk_sync ( );  // expected-error {{'_Cilk_sync' is not a function}} expected-note {{write '_Cilk_sync;' without parentheses}}
  cilk_sync;
}
