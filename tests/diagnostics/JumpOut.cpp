// A child ends at the end of its statement, an iteration at the end of the body. A jump may leave a
// cilk_scope, but not what is around it.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

int leave(int x) {
  cilk_spawn {  // expected-note {{the statement begins here; set a variable in it, and test the variable after it}}
    if (x)
      return 1;  // expected-error {{'return' leaves the statement of 'cilk_spawn'}}
  }
  for (;;) {
    cilk_spawn {  // expected-note 2{{the statement begins here}}
      if (x)
        break;  // expected-error {{'break' leaves the statement of 'cilk_spawn'}}
      if (x + 1)
        continue;  // expected-error {{'continue' leaves the statement of 'cilk_spawn'}}
      for (;;)
        break;
      switch (x) {
      case 1:
        break;
      }
      [] { return 1; }();
    }
  }
  cilk_scope {
    if (x)
      goto out;
    return 2;
  }
  cilk_spawn {  // expected-note 2{{the statement begins here}}
    cilk_scope {  // expected-note {{the statement begins here}}
      if (x)
        goto out;  // expected-error {{'goto' leaves the statement of 'cilk_spawn'}}
      void *target = &&out;
      goto *target;  // expected-error {{'goto' leaves the statement of 'cilk_scope'}}
      return 2;  // expected-error {{'return' leaves the statement of 'cilk_spawn'}}
    }
  }
  while (x) {
    cilk_scope {
      if (x == 1)
        break;
      if (x == 2)
        continue;
      cilk_spawn cilk_scope {  // expected-note {{the statement begins here}}
        break;  // expected-error {{'break' leaves the statement of 'cilk_spawn'}}
      }
    }
  }
  cilk_spawn if (x) goto out;  // expected-note {{the statement begins here}} expected-error {{'goto' leaves the statement of 'cilk_spawn'}}
out:
  cilk_spawn { goto inside; inside: f(1); }
  return 3;
}

void computed(int x) {
  void *t = &&out;
  cilk_spawn {  // expected-note {{the statement begins here}}
    goto *t;  // expected-error {{'goto' leaves the statement of 'cilk_spawn'}}
  }
out:
  f(1);
}

void computed_scope(int x) {
  void *t = &&out;
  cilk_scope {  // expected-note {{the statement begins here}}
    goto *t;  // expected-error {{'goto' leaves the statement of 'cilk_scope'}}
  }
out:
  f(1);
}

void computed_inside(int x) {
  cilk_spawn {
    static void *t[] = {&&a, &&b};
    goto *t[x];
  a:
    f(1);
  b:
    f(2);
  }
}

int loops(int n) {
  int array[2] = {1, 2};
  for (;;) {
    cilk_for (int i = 0; i < n; ++i) {  // expected-note 7{{the statement begins here; set a variable in it, and test the variable after it}}
      if (i == 1)
        continue;
      if (i == 2)
        break;  // expected-error {{'break' leaves the statement of 'cilk_for'}}
      if (i == 3)
        return 1;  // expected-error {{'return' leaves the statement of 'cilk_for'}}
      if (i == 4)
        goto out;  // expected-error {{'goto' leaves the statement of 'cilk_for'}}
      for (;;) {
        if (i == 5)
          break;
        if (i == 6)
          continue;
      }
      cilk_scope {
        if (i == 8)
          continue;
        if (i == 9)
          goto next;
        if (i == 10)
          break;  // expected-error {{'break' leaves the statement of 'cilk_for'}}
        if (i == 11)
          return 1;  // expected-error {{'return' leaves the statement of 'cilk_for'}}
        if (i == 12)
          goto out;  // expected-error {{'goto' leaves the statement of 'cilk_for'}}
      }
      goto next;
    next:
      switch (i) {
      case 7:
        break;
      }
      cilk_spawn {  // expected-note {{the statement begins here}}
        continue;  // expected-error {{'continue' leaves the statement of 'cilk_spawn'}}
      }
      void *target = &&out;
      goto *target;  // expected-error {{'goto' leaves the statement of 'cilk_for'}}
      f(i);
    }
    cilk_for (int i : array)  // expected-note {{the statement begins here}}
      if (i)
        break;  // expected-error {{'break' leaves the statement of 'cilk_for'}}
  }
out:
  return 2;
}
