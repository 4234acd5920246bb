// Each strand has a view, whatever thread it runs on.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

thread_local long cilk_reducer(zero, plus) a;  // expected-error {{'cilk_reducer' of thread-local variable 'a'}} expected-note {{each strand has a view of its own; remove 'thread_local'}}
