// A grain counts iterations.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
enum Few { Four = 4 };
struct Half {
  operator double() const;
};

void loop(int n, int *p) {
#pragma cilk grainsize = 0.5  // expected-error {{'#pragma cilk grainsize' has type 'double'}} expected-note {{a grain is an integer, the number of iterations that run in serial; 0 is the default}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize(p)  // expected-error {{'#pragma cilk grainsize' has type 'int *'}} expected-note {{a grain is}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize Half()  // expected-error {{'#pragma cilk grainsize' has type 'double'}} expected-note {{a grain is}}
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize Four
  cilk_for (int i = 0; i < n; ++i)
    f(i);
#pragma cilk grainsize 'a' + true
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}

template <class T> void dependent(T grain) {
#pragma cilk grainsize grain  // expected-error {{'#pragma cilk grainsize' has type 'float'}} expected-note {{a grain is}}
  cilk_for (int i = 0; i < 9; ++i)
    f(i);
}
void instances() {
  dependent(1);
  dependent(1.0f);
}
