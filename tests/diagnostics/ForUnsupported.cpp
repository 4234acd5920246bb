// A parallel loop does not become a serial one unnoticed.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n) {
  cilk_for (int i = 0; i < n; ++i) // expected-error {{'cilk_for' is not supported yet}} expected-note {{spawn the halves of the range in a recursive function, or use 'for'}}
    f(i);
}
