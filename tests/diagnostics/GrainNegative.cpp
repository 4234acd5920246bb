// A grain is at least one iteration, or the default.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
#define GRAIN (2 - 5)

void loop(int n) {
#pragma cilk grainsize -1  // expected-error {{'#pragma cilk grainsize' is negative, -1}} expected-note {{a grain is the number of iterations that run in serial; 0 is the default}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize(GRAIN)  // expected-error {{'#pragma cilk grainsize' is negative, -3}} expected-note {{a grain is}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize = 0
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}

template <int G> void dependent(int n) {
#pragma cilk grainsize G  // expected-error {{'#pragma cilk grainsize' is negative, -2}} expected-note {{a grain is}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
void instances() {
  dependent<1>(1);
  dependent<-2>(1);
}
