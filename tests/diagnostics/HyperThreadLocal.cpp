// Each strand has a view, whatever thread it runs on.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

thread_local long cilk_reducer(zero, plus) a;  // expected-error {{'cilk_reducer' of thread-local variable 'a'}} expected-note {{each strand has a view of its own; remove 'thread_local'}}

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 3 {{each strand has a view of its own; remove 'thread_local'}}
struct Sums {
  Sum pair[2] = {0, 0};
};
struct Outer {
  Sums inner;
};
thread_local Sum b;            // expected-error {{'cilk_reducer' of thread-local variable 'b'}}
thread_local Outer c;          // expected-error {{'cilk_reducer' of thread-local variable 'c'}}
thread_local Outer *pointer;
long f() {
  static thread_local Sums d;  // expected-error {{'cilk_reducer' of thread-local variable 'd'}}
  return d.pair[0] + c.inner.pair[1] + pointer->inner.pair[0];
}
