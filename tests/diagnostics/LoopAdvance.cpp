// Iterators of a parallel loop can be copied and moved.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
int f(int);
struct Cursor {
  bool operator!=(const Cursor &) const;
  int operator-(const Cursor &) const;
  Cursor &operator++();
};
struct Single {
  Single();
  Single(Single &&);
  bool operator!=(const Single &) const;
  int operator-(const Single &) const;
  Single &operator+=(int);
  Single &operator++();
};

void loop(Cursor a, Cursor b, Single &c) {
  cilk_for (Cursor i = a; i != b; ++i)  // expected-error {{'cilk_for' cannot move an iterator of type 'Cursor' to its place}} expected-note {{a random-access iterator can be copied and has the operators '+=' and '-='}}
    f(0);
  cilk_for (Single i = Single(); i != c; ++i)  // expected-error {{'cilk_for' cannot move an iterator of type 'Single' to its place}} expected-note {{a random-access iterator can be copied}}
    f(0);
}
