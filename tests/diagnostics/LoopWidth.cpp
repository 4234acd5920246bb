// The number of iterations has 64 bits.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(__int128 n) {
  cilk_for (__int128 i = 0; i < n; ++i)  // expected-error {{'cilk_for' counts in a type of more than 64 bits, '__int128'}} expected-note {{convert the limit and the control variable to 64 bits}}
    f(i);
  cilk_for (int i = 0; i < n; ++i)  // expected-error {{'cilk_for' counts in a type of more than 64 bits, '__int128'}} expected-note {{convert the limit}}
    f(i);
  cilk_for (unsigned _BitInt(65) i = 0; i < 3; ++i)  // expected-error {{'cilk_for' counts in a type of more than 64 bits, 'unsigned _BitInt(65)'}} expected-note {{convert the limit}}
    f(i);
  cilk_for (_BitInt(64) i = 0; i < 3; ++i)
    f(i);
}
