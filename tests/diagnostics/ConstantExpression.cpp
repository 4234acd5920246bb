// The value of a case label is a constant.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
constexpr int f(int x) { return x; }

void label(int x) {
  switch (x) {
  case cilk_spawn f(1):  // expected-error {{'cilk_spawn' in a constant expression}} expected-note {{remove the keyword}}
    break;
  }
}
