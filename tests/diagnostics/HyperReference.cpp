// A reference has no memory of its own that could be a view.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

extern long & cilk_reducer(zero, plus) reference;  // expected-error {{'cilk_reducer' of reference 'long &'}} expected-note {{write a reference to a hyperobject as 'T cilk_reducer(identity, reduce) &'}}

template <class T>
struct Holds {
  T cilk_reducer(zero, plus) field;  // expected-error {{of reference 'int &'}} expected-note {{write a reference}}
};
int get(Holds<int &> &h) { return h.field; }
