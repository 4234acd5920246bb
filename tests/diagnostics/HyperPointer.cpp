// The address of a view is not that of the hyperobject.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 13 {{the type of the hyperobject is written here; '&x' is the address of the view, '__builtin_addressof(x)' that of the hyperobject}}
void plain(long *);
void hyper(Sum *);
template <class T> void any(T *) {}
void opaque(void *);

long *f() {
  Sum sum = 0;
  Sum *p = &sum;  // expected-error {{a pointer to 'long' becomes one to a hyperobject, or the reverse}}
  Sum *q = __builtin_addressof(sum);
  long *view = &sum;
  long *wrong = q;  // expected-error {{a pointer to 'long' becomes}}
  auto *r = q;
  plain(r);         // expected-error {{a pointer to 'long' becomes}}
  plain(&*r);
  hyper(&sum);      // expected-error {{a pointer to 'long' becomes}}
  hyper(q);
  any(q);           // expected-error {{a pointer to 'long' becomes}}
  any(view);
  opaque(q);
  p = view;         // expected-error {{a pointer to 'long' becomes}}
  p = nullptr;
  return q + 1;     // expected-error {{a pointer to 'long' becomes}}
}

Sum global = 0;
Sum *right = __builtin_addressof(global);
long *of_the_view = &global;
Sum *wrong = &global;                         // expected-error {{a pointer to 'long' becomes}}
long *wrong_too = __builtin_addressof(global);  // expected-error {{a pointer to 'long' becomes}}

struct Pointers {
  int before;
  Sum *sum;
};
void aggregates() {
  Sum sum = 0;
  Pointers one{1, __builtin_addressof(sum)};
  Pointers two{2, &sum};  // expected-error {{a pointer to 'long' becomes}}
  *one.sum += *two.sum;
}

// An array of hyperobjects is none of views.
void elements(long (&)[2]);
void hyper_elements(Sum (&)[2]);
template <class T> auto length(const T &array) { return sizeof array; }
void arrays() {
  Sum sums[2] = {0, 0};
  hyper_elements(sums);
  elements(sums);              // expected-error {{a pointer to 'long' becomes}}
  length(sums);                // expected-error {{a pointer to 'long' becomes}}
  long(&views)[2] = sums;      // expected-error {{a pointer to 'long' becomes}}
  auto &all = sums;
  for (auto &each : all) each += sizeof views;
}
