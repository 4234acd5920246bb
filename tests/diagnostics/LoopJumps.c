// A parallel loop is entered and left at its beginning and end, in C too.
// RUN: %cilk_c_verify -std=c11 %s
#include <cilk/cilk.h>
int f(int);

void loop(int x) {
  cilk_for (int i = 0; i < x; ++i) {  // expected-note 2{{the statement begins here}}
    switch (i) {
    case 1:
      f(1);
    }
    if (i == 5)
      goto after;  // expected-error {{'goto' leaves the statement of 'cilk_for'}}
  inside:  // expected-error {{'inside' is jumped to from outside the statement of 'cilk_for'}}
    f(2);
    goto inside;
  }
after:
  if (f(3))
    goto inside;
}
void computed(int x) {
  cilk_for (int i = 0; i < x; ++i) {  // expected-note {{the statement begins here}}
  inside:  // expected-error {{'inside' is jumped to from outside the statement of 'cilk_for'}}
    f(2);
  }
  void *t = &&inside;
  goto *t;
}
void label(int x) {
here:
  cilk_for (int i = 0; i < x; ++i)
    f(i);
  if (f(x))
    goto here;
}
void cases(int x) {
  switch (x) {
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < x; ++i) {  // expected-note {{the statement begins here}}
    case 1:  // expected-error {{'case' is jumped to from outside the statement of 'cilk_for'}}
      f(2);
    }
  }
}
