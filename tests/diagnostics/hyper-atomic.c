// An atomic hyperobject is refused wherever '_Atomic' stands: each strand has its own view.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

_Atomic long cilk_reducer(zero, plus) first;    // expected-error {{'cilk_reducer' of qualified type 'long'}} expected-note {{remove 'const', 'volatile' or '_Atomic'}}
long _Atomic cilk_reducer(zero, plus) second;   // expected-error {{of qualified type 'long'}} expected-note {{remove}}
_Atomic(long) cilk_reducer(zero, plus) third;   // expected-error {{of qualified type '_Atomic(long)'}} expected-note {{remove}}
typedef _Atomic long counter;
counter cilk_reducer(zero, plus) fourth;        // expected-error {{of qualified type 'counter'}} expected-note {{remove}}
typedef long cilk_reducer(zero, plus) sum;      // expected-note 5 {{remove}}
_Atomic sum fifth;                              // expected-error {{of qualified type 'long'}}
_Atomic(sum) sixth;                             // expected-error {{of qualified type 'long'}}
_Atomic sum array[3];                           // expected-error {{of qualified type 'long'}}
void add(_Atomic sum *to);                      // expected-error {{of qualified type 'long'}}
struct holds {
  _Atomic sum member;                           // expected-error {{of qualified type 'long'}}
};
_Atomic long *cilk_reducer(zero, plus) pointer; // the view is a pointer, which is not atomic
