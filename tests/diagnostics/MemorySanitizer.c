// The memory sanitizer keeps what it knows of arguments by thread, and a continuation may change threads.
// RUN: %cilk_c_verify -std=c11 -fsanitize=memory %s
#include <cilk/cilk.h>
int f(int);

int g(int n) {
  int x = cilk_spawn f(n);  // expected-error {{'cilk_spawn' is not supported with '-fsanitize=memory'}} expected-note {{look for uses of uninitialized values in the serial elision}}
  int y = f(n);
  cilk_sync;  // expected-error {{'cilk_sync' is not supported with '-fsanitize=memory'}} expected-note {{valgrind's memcheck}}
  return x + y;
}

void each(int *a) {
  cilk_for (int i = 0; i < 9; ++i)  // expected-error {{'cilk_for' is not supported}} expected-note {{memcheck}}
    a[i] = f(i);
}
