// Operands belong to the parent, and a jump out of them may not pass the child's cleanups.
// RUN: %cilk_cxx_verify -std=c++20 -Wno-gnu-statement-expression %s
#include <cilk/cilk.h>
int f(int);

void operands(int *a, int n) {
  for (int i = 0; i < n; ++i) {
    a[i] = cilk_spawn f(({  // expected-note 2{{the statement begins here}}
      if (i == 3)
        continue;  // expected-error {{'continue' leaves the statement of 'cilk_spawn'}}
      if (i == 4)
        break;  // expected-error {{'break' leaves the statement of 'cilk_spawn'}}
      for (int k = 0; k < 3; ++k)
        if (k == i)
          break;
        else
          continue;
      switch (i) {
      case 1:
        break;
      }
      if (i == 5)
        return;
      i;
    }));
    a[({  // expected-note@+4 {{the statement begins here}}
      if (i == 6)
        return;  // expected-error {{'return' leaves the statement of 'cilk_spawn'}}
      i;
    })] = cilk_spawn f(i);
    int x = cilk_spawn f(({  // expected-note {{the statement begins here}}
      if (i == 7)
        break;  // expected-error {{'break' leaves the statement of 'cilk_spawn'}}
      i;
    }));
    cilk_sync;
    a[i] += x;
  }
}
