// All views of a hyperobject have the same size.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

void f(int n) {
  typedef int Row[n];
  Row cilk_reducer(zero, plus) row;        // expected-error {{'cilk_reducer' of variable length type 'Row'}} expected-note {{make an array of hyperobjects}}
  int cilk_reducer(zero, plus) many[n];    // expected-error {{of variable length type}} expected-note {{make an array}}
  int cilk_reducer(zero, plus) some[4];
  row[0] = some[0];
}
