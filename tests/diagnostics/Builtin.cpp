// A builtin function that means something else in another function. All others are spawned.
// Not on LLVM 19, which warns of the refused statements too.
// UNSUPPORTED: llvm-19
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <alloca.h>
#include <utility>

void builtins(void *p, int *a, int x) {
  cilk_spawn __builtin_prefetch(p);
  x = cilk_spawn __builtin_popcount(x);
  a[1] = cilk_spawn std::move(a[0]);
  p = cilk_spawn __builtin_alloca(x);  // expected-error {{'cilk_spawn' of '__builtin_alloca', which belongs to the function that calls it}} expected-note {{remove the keyword}}
  p = cilk_spawn alloca(x);            // expected-error {{'cilk_spawn' of '__builtin_alloca', which belongs}} expected-note {{remove}}
  p = cilk_spawn __builtin_return_address(0);  // expected-error {{'cilk_spawn' of '__builtin_return_address', which belongs}} expected-note {{remove}}
  p = cilk_spawn __builtin_frame_address(0);   // expected-error {{'cilk_spawn' of '__builtin_frame_address', which belongs}} expected-note {{remove}}
}

void list(int n, ...) {
  __builtin_va_list arguments;
  cilk_spawn __builtin_va_start(arguments, n);  // expected-error {{'cilk_spawn' of '__builtin_va_start', which belongs}} expected-note {{remove}}
  cilk_spawn __builtin_va_end(arguments);       // expected-error {{'cilk_spawn' of '__builtin_va_end', which belongs}} expected-note {{remove}}
}
