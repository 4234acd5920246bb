// Through a pointer to member nobody sees that the member is a hyperobject.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 7 {{the type of the hyperobject is written here; name the member where it is used, in a function or lambda if which one it is must be passed on}}
struct Sums {
  Sum one = 0;
  Sum three[3] = {0, 0, 0};
  Sum *far = nullptr;
  long plain = 0;
  static Sum of_all;
  void add();
};
struct Outer {
  Sums inner;
};

long f(Sums &sums, Outer &outer) {
  auto one = &Sums::one;  // expected-error {{a pointer to member 'one', which is or leads to a hyperobject}}
  sums.*one += 1;
  Sum(Sums::*three)[3] = &Sums::three;  // expected-error {{a pointer to member 'three'}}
  (sums.*three)[0] += 1;
  *(sums.*&Sums::far) += 1;  // expected-error {{a pointer to member 'far'}}
  long Sums::*plain = &Sums::plain;
  auto inner = &Outer::inner;
  (outer.*inner).one += 1;
  auto method = &Sums::add;
  (sums.*method)();
  *&Sums::of_all += 1;
  return sums.*plain;
}
long Sums::*const global = &Sums::one;  // expected-error {{a pointer to member 'one'}}
template <long Sums::*Member>
long &value_of(Sums &sums) {
  return sums.*Member;  // expected-error {{a pointer to member 'one'}}
}
long g(Sums &sums) { return value_of<&Sums::one>(sums); }  // expected-error {{a pointer to member 'one'}}
template <class T>
void h(T &sums) {
  sums.*&T::one += 1;  // expected-error {{a pointer to member 'one'}}
}
void use(Sums &sums) { h(sums); }
