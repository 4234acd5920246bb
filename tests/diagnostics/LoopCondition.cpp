// The condition compares the control variable with a limit.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
struct List {
  List *next;
};

void loop(int n, int m, List *list) {
  cilk_for (int i = 0; n < m; ++i)  // expected-error {{condition of 'cilk_for' does not compare its control variable 'i' with a limit}} expected-note {{write 'i' alone on one side of '<', '<=', '>', '>=' or '!='}}
    f(i);
  cilk_for (int i = 0; i == n; ++i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = 0; i < n && i < m; ++i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = n; i; --i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = 0; i * i < n; ++i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = 0; bool more = i < n; ++i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(more);
  cilk_for (int i = 0; (char)i < n; ++i)  // expected-error {{condition of 'cilk_for'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = 0, j = n; j < n; ++i)  // expected-error {{condition of 'cilk_for' does not compare its control variable 'i'}} expected-note {{write 'i' alone}}
    f(i);
  cilk_for (int i = 0; (n >= (i)); ++i)
    f(i);
}
