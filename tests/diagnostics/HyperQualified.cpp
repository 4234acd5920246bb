// A view must be writable.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

const long cilk_reducer(zero, plus) constant = 1;  // expected-error {{'cilk_reducer' of qualified type 'long'}} expected-note {{remove 'const', 'volatile' or '_Atomic'}}
volatile long cilk_reducer(zero, plus) shared;     // expected-error {{of qualified type 'long'}} expected-note {{a view is changed}}

// Where the type has a name, the error stands at the declaration that qualifies it.
typedef long cilk_reducer(zero, plus) Sum;  // expected-note 2 {{a view is changed}}
const Sum other = 1;                        // expected-error {{of qualified type 'long'}}
long sum(const Sum &total) {                // expected-error {{of qualified type 'long'}}
  return total;
}

template <class T>
struct Holds {
  T cilk_reducer(zero, plus) field;  // expected-error {{of qualified type 'int'}} expected-note {{a view is changed}}
};
Holds<const int> *none;
int get(Holds<const int> &h) { return h.field; }
