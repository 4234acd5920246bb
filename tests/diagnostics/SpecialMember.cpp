// A destructor and a defaulted assignment may not be a call.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
struct T {
  T &operator=(const T &) = default;
  ~T();
};
using Int = int;

void members(T *t, T *u, int *i) {
  cilk_spawn t->~T();           // expected-error {{'cilk_spawn' of special member function '~T'}} expected-note {{spawn a block that calls it: 'cilk_spawn { ... }'}}
  cilk_spawn t->operator=(*u);  // expected-error {{'cilk_spawn' of special member function 'operator='}} expected-note {{spawn a block}}
  cilk_spawn i->~Int();         // expected-error {{'cilk_spawn' of special member function 'a pseudo-destructor'}} expected-note {{spawn a block}}
  cilk_spawn { t->~T(); }
}
