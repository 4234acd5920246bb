// No jump enters a spawned statement.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void into(int x) {
  cilk_spawn {  // expected-note {{the statement begins here; move the jump's target out of it}}
  inside:  // expected-error {{'inside' is jumped to from outside the statement of 'cilk_spawn'}}
    f(1);
  }
  if (x)
    goto inside;
  switch (x) {
    cilk_scope {  // expected-note 2{{the statement begins here}}
    case 1:  // expected-error {{'case' is jumped to from outside the statement of 'cilk_scope'}}
    default:  // expected-error {{'default' is jumped to from outside the statement of 'cilk_scope'}}
      f(2);
    }
  }
}

void beside(int x) {
  cilk_scope {
    if (x)
      goto inside;
    cilk_scope {  // expected-note {{the statement begins here}}
    deep:  // expected-error {{'deep' is jumped to from outside the statement of 'cilk_scope'}}
      f(1);
    }
    goto deep;
  }
  cilk_scope {  // expected-note {{the statement begins here}}
  inside:  // expected-error {{'inside' is jumped to from outside the statement of 'cilk_scope'}}
    f(2);
  }
}

void computed(int x) {
  cilk_spawn {  // expected-note {{the statement begins here}}
  inside:  // expected-error {{'inside' is jumped to from outside the statement of 'cilk_spawn'}}
    f(1);
  }
  void *t = &&inside;
  goto *t;
}
