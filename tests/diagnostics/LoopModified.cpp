// A change of the control variable does not reach the next iteration.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <vector>
int f(int);

void loop(int n, std::vector<int> &v) {
  cilk_for (int i = 0; i < n; ++i) {  // expected-note {{every iteration has a copy of its own, and the change ends with it}}
    while (i % 2)
      i /= 2;  // expected-warning {{the body of 'cilk_for' changes control variable 'i'}}
    f(i);
  }
  cilk_for (int i = 0; i < n; ++i)  // expected-note {{every iteration has a copy}}
    f(i++);  // expected-warning {{the body of 'cilk_for' changes control variable 'i'}}
  cilk_for (auto i = v.begin(); i != v.end(); ++i)  // expected-note {{every iteration has a copy}}
    ++i;  // expected-warning {{the body of 'cilk_for' changes control variable 'i'}}
  cilk_for (int i = 0; i < n; ++i) {
    int j = i;
    f(++j);
  }
}
