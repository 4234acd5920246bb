// The keywords come from a header.
// RUN: %cilk_cxx_verify -std=c++20 %s
int f(int);
int g() {
  int x = cilk_spawn f(1);  // expected-error {{use of undeclared identifier 'cilk_spawn'}} expected-error {{'cilk_spawn' is a keyword only after '#include <cilk/cilk.h>'}} expected-note {{include the header before the first keyword}}
  return x;
}
