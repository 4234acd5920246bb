// The strand must know which hyperobjects it constructs.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

void f() {
  for (long cilk_reducer(zero, plus) sum = 0; sum < 3; ++sum) {  // expected-error {{'cilk_reducer' of 'sum', which is not declared in a statement of a block}} expected-note {{declare it before this statement}}
  }
  try {
  } catch (long cilk_reducer(zero, plus) caught) {  // expected-error {{of 'caught', which is not declared in a statement of a block}} expected-note {{declare it before}}
    caught += 1;
  }
}
