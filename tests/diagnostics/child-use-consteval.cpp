// An `if consteval` has no condition: only the branch that runs counts. The front-end crashed.
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>

void g(long);

long loop(int n) {
  long total = 0;  // expected-note {{make it a 'cilk::reducer<long, std::plus<>>'}}
  cilk_for (int i = 0; i < n; ++i) {
    if consteval { g(i); } else { total += i; }  // expected-warning {{'total' is written}}
  }
  return total;
}
long child() {
  long x = 0;
  cilk_spawn [&] { if !consteval { ++x; } }();  // expected-note {{the child that writes it is spawned here}}
  g(x);  // expected-warning {{'x' is read before a sync}}
  cilk_sync;
  return x;
}
long silent(int n) {
  long total = 0;
  cilk_for (int i = 0; i < n; ++i) {
    if consteval { total += i; } else { g(i); }
  }
  return total;
}
