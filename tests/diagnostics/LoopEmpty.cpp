// A parallel loop with an empty body does nothing.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
void loop(int n) {
  cilk_for (int i = 0; i < n; ++i);  // expected-warning {{'cilk_for' has an empty body}} expected-note {{put the body on a line of its own, or remove the loop}}
  cilk_for (int i = 0; i < n; ++i) {  // expected-warning {{'cilk_for' has an empty body}} expected-note {{put the body}}
  }
}
