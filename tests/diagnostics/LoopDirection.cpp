// A constant stride goes towards the limit.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n, int s, char *p, char *q) {
  cilk_for (int i = 0; i < n; --i)  // expected-error {{'--i' of 'cilk_for' never comes nearer to its limit}} expected-note {{'<' and '<=' need a positive stride, '>' and '>=' a negative one, '!=' one that is not 0}}
    f(i);
  cilk_for (int i = n; 0 <= i; i++)  // expected-error {{'i++' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(i);
  cilk_for (int i = n; i > 0; i += 2)  // expected-error {{'i += 2' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(i);
  cilk_for (int i = 0; i <= n; i -= 2 - 1)  // expected-error {{'i -= 2 - 1' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(i);
  cilk_for (int i = 0; i != n; i += 0)  // expected-error {{'i += 0' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(i);
  cilk_for (char *r = p; r < q; --r)  // expected-error {{'--r' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(*r);
  cilk_for (unsigned i = n; i > 0; i += -1)
    f(i);
  cilk_for (int i = n; i > 0; i -= s)
    f(i);
  cilk_for (int i = n; i != 0; i -= 1)
    f(i);
}

template <int S> void dependent(int n) {
  cilk_for (int i = 0; i < n; i += S)  // expected-error {{'i += 0' of 'cilk_for' never comes nearer}} expected-note {{need a positive stride}}
    f(i);
}
void instances() {
  dependent<1>(1);
  dependent<0>(1);
}
