// All declarations of a variable or parameter say alike whether it is a hyperobject.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);
typedef long cilk_reducer(zero, plus) Sum;
extern Sum sum;
Sum sum = 0;

typedef long cilk_reducer(zero, plus) One;
extern long other;  // expected-note {{that declaration is here; write the same type in both}}
One other = 0;  // expected-error {{'cilk_reducer' of 'other', of which another declaration has none}}

void add(One *into, Sum &from);  // expected-error {{of 'into', of which another declaration has none}}
void add(long *into, Sum &from);  // expected-note {{that declaration is here}}

struct Base {
  virtual void add(One &from);  // expected-error {{of 'from', of which another declaration has none}}
};
struct Derived : Base {
  void add(long &) override;  // expected-note {{that declaration is here}}
};

template <class T>
struct Holds {
  static T cilk_reducer(zero, plus) all;
  void add(T cilk_reducer(zero, plus) *into);
};
template <class T>
T cilk_reducer(zero, plus) Holds<T>::all = 0;
template <class T>
void Holds<T>::add(T cilk_reducer(zero, plus) *into) { *into += all; }
template struct Holds<long>;
