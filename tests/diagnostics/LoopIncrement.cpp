// The increment adds the same stride each time.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);

void loop(int n, int m) {
  cilk_for (int i = 1; i < n; i *= 2)  // expected-error {{increment of 'cilk_for' does not add a stride to its control variable}} expected-note {{write '++i', '--i', 'i += c', 'i -= c', 'i = i + c' or 'i = i - c' for the one control variable 'i'}}
    f(i);
  cilk_for (int i = 0, j = 0; i < n; ++i, ++j)  // expected-error {{increment of 'cilk_for'}} expected-note {{for the one control variable 'i'}}
    f(j);
  cilk_for (int i = 0; i < n; f(i))  // expected-error {{increment of 'cilk_for'}} expected-note {{write '++i'}}
    f(i);
  cilk_for (int i = n; i > 0; i = m - i)  // expected-error {{increment of 'cilk_for'}} expected-note {{write '++i'}}
    f(i);
  cilk_for (int i = 0; i < n; i = f(i))  // expected-error {{increment of 'cilk_for'}} expected-note {{write '++i'}}
    f(i);
  cilk_for (int i = 0; i < n; i = i + 1)
    f(i);
  cilk_for (int i = 0; i < n; (i = m + i))
    f(i);
  cilk_for (int i = n; i > 0; i = i - m)
    f(i);
}
