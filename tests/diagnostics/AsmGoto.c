// An assembly jump cannot be followed.
// RUN: %cilk_c_verify -std=gnu17 %s
#include <cilk/cilk.h>
int f(int);

void jump(void) {
  cilk_spawn f(1);  // expected-error {{'cilk_spawn' in a function with an 'asm goto'}}
  asm goto("" : : : : out);  // expected-note {{the jump is here; move it or the spawn into a function of its own}}
out:
  f(2);
}
void loop(void) {
  cilk_for (int i = 0; i < 9; ++i) {  // expected-error {{'cilk_for' in a function with an 'asm goto'}}
    asm goto("" : : : : out);  // expected-note {{the jump is here}}
  out:
    f(i);
  }
}
