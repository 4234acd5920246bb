// For a template, a hyperobject and its view are the same type.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

template <class T> struct Box { T value; };
template <class T> void f(T *);
template <class T> using Sum = T cilk_reducer(zero, plus);

Box<Sum<long>> box;     // expected-error {{'cilk_reducer' in a template argument}}
Box<Sum<long> *> more;  // expected-error {{'cilk_reducer' in a template argument}}
// expected-note@-4 3 {{a template does not see that its argument is a hyperobject}}
void g() { f<long cilk_reducer(zero, plus)>(nullptr); }  // expected-error {{in a template argument}} expected-note {{a template does not see}}

Sum<long> sum;
Box<decltype(sum)> third;  // expected-error {{'cilk_reducer' in a template argument}}
template <class T> void deduced(T *);  // what is passed shows it
