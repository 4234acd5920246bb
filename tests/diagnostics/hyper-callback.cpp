// In C++, too, a bad callback is refused in words about callbacks, used or not.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
#include <cilk/reducer>
void zero(void *);
void plus(void *, void *);

void (*variable)(void *) = zero;
long cilk_reducer(variable, plus) changes;  // expected-error {{a callback of 'cilk_reducer' is not a function that is known here}} expected-note {{name the functions}}
constexpr void (*constant)(void *) = zero;
long cilk_reducer(constant, plus) known;
long cilk_reducer([](void *) {}, plus) lambda;
typedef long cilk_reducer(plus, plus) Named;  // expected-error {{static_cast from 'void (*)(void *, void *)' to 'void (*)(void *)' is not allowed}}
template <class T>
struct Holds {
  T cilk_reducer(variable, plus) member;  // expected-error {{a callback of 'cilk_reducer' is not a function}} expected-note {{name the functions}}
};
template <class T>
void init(void *);
template <class T>
struct Depends {
  T cilk_reducer(init<T>, plus) member;
};
int number;
long cilk_reducer(number) no_callbacks;  // expected-error {{value of type 'int' is not implicitly convertible to 'const __reducer_callbacks &'}} expected-note@cilk/reducer:* 0-1 {{template parameter is declared here}}
struct Plain {};
Plain cilk_reducer() no_base;  // expected-error {{'cilk_reducer' of 'Plain' without callbacks}} expected-note {{may derive from '__reducer_base'}}
struct Later;
extern Later cilk_reducer() later;
