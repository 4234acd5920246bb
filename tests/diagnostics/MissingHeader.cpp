// The keywords come from a header.
// RUN: %cilk_cxx_verify -std=c++20 %s
int f(int);
int g() {
  int x = f(1);
  cilk_sync; // expected-error {{use of undeclared identifier 'cilk_sync'}} expected-error {{'cilk_sync' is a keyword only after '#include <cilk/cilk.h>'}} expected-note {{include the header before the first keyword}}
  return x;
}
