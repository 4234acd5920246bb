// A second return of setjmp would find the frame on another thread.
// RUN: %cilk_c_verify -std=c17 %s
#include <cilk/cilk.h>
typedef int jmp_buf[64];
int _setjmp(jmp_buf) __attribute__((returns_twice));
int twice(void) __attribute__((returns_twice));
int f(int);
jmp_buf buffer;

void jumps(void) {
  cilk_spawn f(1);  // expected-error {{'cilk_spawn' in a function that calls '_setjmp', which may return twice}}
  if (_setjmp(buffer))  // expected-note {{'_setjmp' is called here; move the call or the spawn into a function of its own}}
    f(2);
}
void attribute(void) {
  cilk_spawn f(1);  // expected-error {{'cilk_spawn' in a function that calls 'twice', which may return twice}}
  twice();          // expected-note {{'twice' is called here}}
}
void without(void) {
  if (_setjmp(buffer))
    f(2);
}
void loop(void) {
  cilk_for (int i = 0; i < 9; ++i)  // expected-error {{'cilk_for' in a function that calls '_setjmp', which may return twice}}
    f(i);
  if (_setjmp(buffer))  // expected-note {{'_setjmp' is called here}}
    f(2);
}
