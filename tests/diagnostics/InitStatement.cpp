// The statement before the condition of an if or a switch is part of that statement.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
int g(int n) {
  if (int x = cilk_spawn f(n); n > 3) { // expected-error {{'cilk_spawn' in the statement before a condition}} expected-note {{write that statement before this one, in a block around both}}
    cilk_sync;
    return x;
  }
  if (cilk_spawn f(3); f(4)) // expected-error {{'cilk_spawn' in the statement before a condition}} expected-note {{in a block around both}}
    return 2;
  switch (int x = cilk_spawn f(n); n) { // expected-error {{'cilk_spawn' in the statement before a condition}} expected-note {{in a block around both}}
  default:
    return x;
  }
}
