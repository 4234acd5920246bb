// A list with a spawned part is initialized part by part.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>

int f(int);
struct Pair {
  int a, b;
};
struct Owner {
  Owner(int);
  ~Owner();
};
struct Derived : Pair {
  int c;
};
struct Bits {
  int a : 3, b : 4;
};
struct Refers {
  int a;
  int &b;
};
struct Default {
  int a, b = 5;
};
struct Copied {
  Copied(int);
  Copied(const Copied &);
};
union Either {
  int a;
  long b;
};

void lists(int n) {
  int fine[2] = {cilk_spawn f(1), f(2)};
  Pair nested[2] = {{cilk_spawn f(1), 2}, {3, 4}};
  Bits beside = {2, 3};
  Owner owners[2] = {cilk_spawn f(1), 2};  // expected-error {{'cilk_spawn' in the initializer list of 'owners', whose parts cannot be initialized one by one}} expected-note {{initialize 'owners' first, and assign to its parts in statements of their own}}
  Derived derived = {{1, cilk_spawn f(2)}, 3};  // expected-error {{initializer list of 'derived'}} expected-note {{initialize 'derived' first}}
  Bits bits = {1, cilk_spawn f(1)};  // expected-error {{initializer list of 'bits'}} expected-note {{initialize 'bits' first}}
  Refers refers = {cilk_spawn f(1), n};  // expected-error {{initializer list of 'refers'}} expected-note {{initialize 'refers' first}}
  Default def = {cilk_spawn f(1)};  // expected-error {{initializer list of 'def'}} expected-note {{initialize 'def' first}}
  Copied copied[2] = {1, cilk_spawn f(2)};  // expected-error {{initializer list of 'copied'}} expected-note {{initialize 'copied' first}}
  static int once[2] = {cilk_spawn f(1), 2};  // expected-error {{'cilk_spawn' in the initializer of 'once', which is not an automatic variable}} expected-note {{assign}}
}
