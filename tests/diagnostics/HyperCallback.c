// A callback is a function that the compiler knows.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

void (*variable)(void *) = zero;
void (*plus_by)(void *, void *) = plus;
int number(int);
int cilk_reducer(0, plus) none;  // expected-error {{a callback of 'cilk_reducer' is not a function that is known here}} expected-note {{name the functions: 'void identity(void *view)' and 'void reduce(void *left, void *right)'}}
int get(void) { return none; }
int cilk_reducer(plus, zero) exchanged;   // expected-error {{incompatible function pointer types}} expected-error {{incompatible function pointer types}}
int use(void) { return exchanged; }

// Not a word of how an annotation is passed to Clang.
int cilk_reducer(variable, plus) changes;  // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
void parameter(void (*given)(void *)) {
  int cilk_reducer(given, plus) local;     // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
}
int cilk_reducer(zero, ) missing;          // expected-error {{expected expression}}

// None of these is used.
typedef int cilk_reducer(zero, number) named;    // expected-error {{incompatible function pointer types passing 'int (int)' to parameter of type 'void (*)(void *, void *)'}}
extern int cilk_reducer(number, plus) declared;  // expected-error {{incompatible function pointer types passing 'int (int)' to parameter of type 'void (*)(void *)'}}
struct holds {
  int cilk_reducer(zero, plus_by) member;        // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
};
void add(int cilk_reducer(zero, 0) *to);         // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
int size(void) { return sizeof(int cilk_reducer(variable, plus)); }  // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
