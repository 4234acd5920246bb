// Iterations are counted in integers.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(double);
enum E { a, b };
E &operator++(E &);

void loop(int n, int &r) {
  cilk_for (double x = 0; x < n; ++x)  // expected-error {{control variable of 'cilk_for' has type 'double'}} expected-note {{a control variable is an integer, a pointer or a random-access iterator}}
    f(x);
  cilk_for (bool x = false; x != true; x += 1)  // expected-error {{control variable of 'cilk_for' has type 'bool'}} expected-note {{a control variable is}}
    f(x);
  cilk_for (int &x = r; x < n; ++x)  // expected-error {{control variable of 'cilk_for' has type 'int &'}} expected-note {{a control variable is}}
    f(x);
  cilk_for (E x = a; x != b; ++x)  // expected-error {{control variable of 'cilk_for' has type 'E'}} expected-note {{a control variable is}}
    f(x);
  cilk_for (_Atomic(int) x = 0; x < n; ++x)  // expected-error {{control variable of 'cilk_for' has type '_Atomic(int)'}} expected-note {{a control variable is}}
    f(x);
}

template <class T> void dependent(T n) {
  cilk_for (T x = 0; x < n; ++x)  // expected-error {{control variable of 'cilk_for' has type 'float'}} expected-note {{a control variable is}}
    f(x);
}
void instances() {
  dependent(1);
  dependent(1.0f);
}
