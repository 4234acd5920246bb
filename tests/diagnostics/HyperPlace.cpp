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

struct Inside {
  int first;
  long cilk_reducer(zero, plus) sum = 0;
};
typedef long cilk_reducer(zero, plus) Sum;
void g() {
  for (Inside each; each.sum < 3; ++each.sum) {  // expected-error {{'cilk_reducer' of 'each', which is not declared in a statement of a block}} expected-note {{declare it before}}
  }
  for (Sum sum = 0; sum < 3; ++sum) {  // expected-error {{'cilk_reducer' of 'sum'}} expected-note {{declare it before}}
  }
  switch (Inside more; more.first) {  // expected-error {{'cilk_reducer' of 'more'}} expected-note {{declare it before}}
  }
}
