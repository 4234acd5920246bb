// A builtin function is compiled in place.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <utility>

void builtins(void *p, int *a, int x) {
  cilk_spawn __builtin_prefetch(p);   // expected-error {{'cilk_spawn' of builtin function '__builtin_prefetch'}} expected-note {{call it without spawning, or spawn a block: 'cilk_spawn { ... }'}}
  x = cilk_spawn __builtin_popcount(x);  // expected-error {{'cilk_spawn' of builtin function '__builtin_popcount'}} expected-note {{call it}}
  x = cilk_spawn std::move(a[0]);     // expected-error {{'cilk_spawn' of builtin function 'move'}} expected-note {{call it}}
}
