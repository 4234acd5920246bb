// A condition needs its value at once.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int conditions() {
  if (cilk_spawn f(1))  // expected-error {{'cilk_spawn' in a condition}} expected-note {{spawn in a statement before this one, and test the result after 'cilk_sync'}}
    return 1;
  if (int x = cilk_spawn f(2))  // expected-error {{'cilk_spawn' in a condition}} expected-note {{statement before}}
    return x;
  switch (cilk_spawn f(5)) {  // expected-error {{'cilk_spawn' in a condition}} expected-note {{statement before}}
  default:
    return 3;
  }
}
