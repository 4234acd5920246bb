// The header of a loop is not part of the body.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
struct Range {
  int *begin(), *end();
};
Range range();

void loops() {
  for (int i = cilk_spawn f(1); i < 9; ++i)  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{spawn in the body of the loop or before it}}
    ;
  for (;; cilk_spawn f(2))  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    break;
  while (cilk_spawn f(3))  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    ;
  do
    ;
  while (cilk_spawn f(4));  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
  for (int i : cilk_spawn range())  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    f(i);
}

void parallel(int n) {
  cilk_for (int i = cilk_spawn f(1); i < n; ++i)  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    f(i);
  cilk_for (int i = 0; i < cilk_spawn f(2); ++i)  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    f(i);
  cilk_for (int i = 0; i < n; i += cilk_spawn f(3))  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    f(i);
  cilk_for (int i : cilk_spawn range())  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
    f(i);
#pragma cilk grainsize cilk_spawn f(4)  // expected-error {{'cilk_spawn' in the header of a loop}} expected-note {{body of the loop}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
