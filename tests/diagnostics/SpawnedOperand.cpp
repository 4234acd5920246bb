// The parent makes an argument of class type, and the child moves it into the parameter.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>

struct Fixed {
  Fixed(int);
  Fixed(Fixed &&) = delete;
};
struct Movable {
  Movable(int);
  Movable(Movable &&);
  Movable(const Movable &) = delete;
};
struct T {
  T(Fixed);
  T(Movable);
  T(const Fixed &, int);
};
Fixed fixed();
T made();

void constructs(T *t[3]) {
  t[0] = cilk_spawn new T(Movable(1));
  t[1] = cilk_spawn new T(Fixed(1), 2);
  t[2] = cilk_spawn new T(Fixed(1));  // expected-error {{'cilk_spawn' of an operation with an operand that is made in place}} expected-note {{spawn a function, or the statement as a block: 'cilk_spawn { ... }'}}
  T *u = cilk_spawn new T(fixed());  // expected-error {{operand that is made in place}} expected-note {{spawn a function}}
  T *v = cilk_spawn new T(made());
  Fixed *w = cilk_spawn new Fixed(fixed());  // expected-error {{operand that is made in place}} expected-note {{spawn a function}}
}
