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

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 3 {{the type of the hyperobject is written here}}
Sum global = 0;
long other_global = 0;
Sum &right = global;
Sum &wrong = other_global;  // expected-error {{is bound to 'long', which is none}}

struct Refers {
  Sum &to;
};
void aggregates() {
  Sum sum = 0;
  long other = 0;
  Refers one{sum};
  Refers two{other};  // expected-error {{is bound to 'long', which is none}}
  static Sum &kept = other;  // expected-error {{is bound to 'long', which is none}}
  one.to += two.to + kept;
}
