// A handler holds an exception that belongs to one thread.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void handlers() {
  try {
    cilk_spawn f(1);
    f(2);
  } catch (int) {
    cilk_spawn f(3);  // expected-error {{'cilk_spawn' inside a catch handler is not supported}} expected-note {{a handler ends on the thread that caught the exception, so this is permanent: keep what is needed in a variable, and spawn and sync after the handler}}
    f(4);
    cilk_sync;  // expected-error {{'cilk_sync' inside a catch handler is not supported}} expected-note {{after the handler}}
  } catch (...) {
    // A lambda's body is a function of its own.
    [] {
      cilk_spawn f(5);
      f(6);
    }();
  }
}

struct S {
  S() try {
  } catch (...) {
    cilk_spawn f(7);  // expected-error {{'cilk_spawn' inside a catch handler is not supported}} expected-note {{after the handler}}
  }
};

void loops() {
  try {
    cilk_for (int i = 0; i < 9; ++i)
      f(i);
  } catch (...) {
    cilk_for (int i = 0; i < 9; ++i)  // expected-error {{'cilk_for' inside a catch handler is not supported}} expected-note {{after the handler}}
      f(i);
  }
}
