// The address of a label is one of the function that ran first.
// RUN: %cilk_c_verify -std=c17 %s
#include <cilk/cilk.h>
int f(int);

void computed(int x) {
  void *target = &&out; // expected-note {{the label's address is used here; use a switch, or move the spawn into a function of its own}}
  cilk_spawn f(1); // expected-error {{'cilk_spawn' in a function that takes the address of a label}}
  if (x)
    target = 0;
out:
  f(2);
}
