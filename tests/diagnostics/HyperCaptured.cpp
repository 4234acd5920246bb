// What a lambda captures by copy is a value: it may be read, but not be changed as a hyperobject.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

typedef long cilk_reducer(zero, plus) Sum;  // expected-note 5 {{the type of the hyperobject is written here, and the copy has none; capture it by reference, or its value under a name of its own}}
struct Sums {
  Sum one = 0;
};

long f() {
  Sum x = 0, *pointer = __builtin_addressof(x);
  Sum pair[2] = {0, 0}, &reference = pair[1];
  Sums sums;
  auto a = [x]() mutable { return x += 1; };  // expected-error {{a mutable lambda captures a copy of hyperobject 'x'}}
  auto b = [=]() mutable {
    return x += 1;                            // expected-error {{a mutable lambda captures a copy of hyperobject 'x'}}
  };
  auto c = [pair, reference]() mutable {      // expected-error {{a mutable lambda captures a copy of hyperobject 'pair'}} expected-error {{a mutable lambda captures a copy of hyperobject 'reference'}}
    return pair[0] += reference;
  };
  auto d = [x] { return x + 1; };
  auto e = [&x, pointer]() mutable { return x += *pointer; };
  auto g = [value = x, sums]() mutable { return value += sums.one; };
  return a() + b() + c() + d() + e() + g();
}

template <class T>
long h(T y) {
  return [y]() mutable { return y += 1; }() + [&](auto z) { return [z, y]() mutable { return y += z; }(); }(1);
}
long i() { return h<long>(1); }
long j() {
  Sum w = 0;
  return [w](auto z) mutable { return w += z; }(1);  // expected-error {{a mutable lambda captures a copy of hyperobject 'w'}}
}
