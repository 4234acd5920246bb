// Tokens after the word of a pragma are not silently dropped.
// RUN: %cilk_cxx_verify -std=c++20 %s
void f(int);

void words(int n) {
#pragma cilk spawn f(3);  // expected-warning {{extra tokens at end of '#pragma cilk spawn' - ignored}}
  f(1);
  f(2);
#pragma cilk sync now  // expected-warning {{extra tokens at end of '#pragma cilk sync' - ignored}}
  ;
#pragma cilk for  // a comment
  for (int i = 0; i < n; ++i)
    f(i);
}
