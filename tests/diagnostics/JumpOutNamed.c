// Named loops of C2y: their labels may not lead over the edge of a spawned statement either, nor name
// a cilk_for.
// REQUIRES: llvm-22
// RUN: %cilk_c_verify -std=c2y %s
#include <cilk/cilk.h>

int f(int);
void named(int *x, int n) {
outer:
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n; i++) {  // expected-note {{the statement begins here}}
      for (int j = 0; j < 3; j++)
        if (x[i] == j)
          continue outer;  // expected-error {{'continue' leaves the statement of 'cilk_for'}}
    inner:
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++) {
          if (x[i] == l)
            continue inner;
          if (x[i] == j)
            break inner;
        }
    }
    cilk_spawn {  // expected-note {{the statement begins here}}
      for (int j = 0; j < 3; j++)
        if (x[k] == j)
          break outer;  // expected-error {{'break' leaves the statement of 'cilk_spawn'}}
    }
    cilk_scope {
      if (x[k])
        continue outer;
    }
  }
rows:
  for (int i = 0; i < n; i++) {
    x[i] = cilk_spawn f(({  // expected-note {{the statement begins here}}
      for (;;) {
        if (i == 3)
          continue rows;  // expected-error {{'continue' leaves the statement of 'cilk_spawn'}}
        break;
      }
      i;
    }));
    cilk_sync;
  }
me:
  cilk_for (int i = 0; i < n; i++) {  // expected-note {{the statement begins here}}
    for (int j = 0; j < 3; j++)
      if (x[i] == j)
        continue me;  // expected-error {{'continue' leaves the statement of 'cilk_for'}}
  }
}
