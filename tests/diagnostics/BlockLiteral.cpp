// A block literal is not a function that the front-end rewrites.
// RUN: %cilk_cxx_verify -fblocks %s
#include <cilk/cilk.h>
int f(int);
void call(void (^)(void));

void literal() {
  call(^{
    cilk_spawn f(1);  // expected-error {{'cilk_spawn' inside a block literal is not supported}} expected-note {{move the statements into a function or a lambda}}
    f(2);
    cilk_for (int i = 0; i < 9; ++i)  // expected-error {{'cilk_for' inside a block literal is not supported}} expected-note {{move}}
      f(i);
  });
}
