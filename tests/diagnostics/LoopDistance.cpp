// Iterators of a parallel loop can be subtracted.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <list>
int f(int);
struct Cursor {
  bool operator!=(const Cursor &) const;
  Cursor &operator++();
  int operator*() const;
};
struct Secret {
  Secret &operator+=(long);
  Secret &operator++();
  bool operator!=(const Secret &) const;
private:
  long operator-(const Secret &) const;
};

void loop(std::list<int> &list, Cursor a, Cursor b, Secret c, Secret d) {
  cilk_for (int x : list)  // expected-error {{'cilk_for' needs the distance of iterators of type}} expected-note {{a random-access iterator has an operator '-' that gives an integer}}
    f(x);
  cilk_for (Cursor i = a; i != b; ++i)  // expected-error {{'cilk_for' needs the distance of iterators of type 'Cursor'}} expected-note {{a random-access iterator has}}
    f(*i);
  cilk_for (Secret i = c; i != d; ++i)  // expected-error {{'cilk_for' needs the distance of iterators of type 'Secret'}} expected-note {{a random-access iterator has}}
    f(0);
}
