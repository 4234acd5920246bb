// All declarations of a variable or parameter have the same callbacks.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
#include <cilk/reducer>
void zero(void *);
void plus(void *, void *);
void one(void *);
void times(void *, void *);

extern long cilk_reducer(zero, plus) sum;  // expected-note {{those are here; write the same type in both}}
long cilk_reducer(one, plus) sum = 0;      // expected-error {{'cilk_reducer' of 'sum', of which another declaration has other callbacks}}
extern long cilk_reducer(zero, plus) *far;  // expected-note {{those are here}}
long cilk_reducer(zero, times) *far;        // expected-error {{of 'far', of which another declaration has other callbacks}}
void add(long cilk_reducer(zero, plus) &into);                     // expected-note {{those are here}}
void add(long cilk_reducer(one, times) &into) { into += 1; }  // expected-error {{of 'into', of which another declaration has other callbacks}}

struct Base {
  virtual void add(long cilk_reducer(zero, plus) &from);  // expected-note {{those are here}}
};
struct Derived : Base {
  void add(long cilk_reducer(zero, times) &from) override;  // expected-error {{of 'from', of which another declaration has other callbacks}}
};

extern const __reducer_callbacks add_up, multiply;
extern long cilk_reducer(add_up) up;  // expected-note {{those are here}}
long cilk_reducer(multiply) up = 0;   // expected-error {{of 'up', of which another declaration has other callbacks}}

// The same functions, written in another way.
namespace inner {
using ::plus;
}
void zero(void *);
extern long cilk_reducer(zero, plus) same;
long cilk_reducer(&::zero, (inner::plus)) same = 0;
extern long cilk_reducer(add_up) again;
long cilk_reducer((::add_up)) again = 0;
void plus(long);
extern long cilk_reducer(zero, plus) same;

// Those that are instances are compared; those that depend on a template are not.
template <class T>
void init(void *);
template <class T>
void fold(void *, void *);
extern long cilk_reducer(init<long>, fold<long>) instance;
long cilk_reducer(init<long>, fold<long>) instance = 0;
template <class T>
struct Holds {
  static T cilk_reducer(init<T>, fold<T>) all;
};
template <class T>
T cilk_reducer(init<T>, fold<T>) Holds<T>::all = 0;
template struct Holds<long>;
