// A reference to a hyperobject is bound to one.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

void hyper(long cilk_reducer(zero, plus) &);  // expected-note 2 {{the type of the hyperobject is written here}}
void plain(long &);
void f() {
  long cilk_reducer(zero, plus) sum = 0;
  long other = 0;
  hyper(sum);
  plain(sum);
  hyper(other);          // expected-error {{a reference to a hyperobject is bound to 'long', which is none}}
  hyper(*&sum);          // expected-error {{is bound to 'long', which is none}}
  hyper(*__builtin_addressof(sum));
}
