// cilk_for with conversions in its header: limits of class type that convert to an integer or have
// a comparison of their own, and control variables whose class inherits its operators or gets them
// by a conversion.

#include <cilk/cilk.h>

#include <atomic>
#include <type_traits>

#include "../support/check.h"

namespace {

long visits[64];

long fold() {
  long sum = 0;
  for (long &visit : visits) {
    sum = (sum * 31 + visit) % 1000003;
    visit = 0;
  }
  return sum;
}

struct Converts {
  int n;
  operator int() const { return n; }
};
struct Inherits : Converts {};
struct Chooses {  // a conversion to a reference, and one to a class
  long n;
  operator const long &() const { return n; }
  operator Converts() const { return Converts{0}; }
};
// Compares by itself; the comparison says how often it was made.
template <class T>
struct Compares {
  T n;
  operator T() const { return n; }
  template <class I>
  friend bool operator<(I i, const Compares &limit) {
    return static_cast<long>(i) < static_cast<long>(limit.n);
  }
  template <class I>
  friend bool operator!=(I i, const Compares &limit) {
    return static_cast<long>(i) != static_cast<long>(limit.n);
  }
  template <class I>
  friend bool operator>=(I i, const Compares &limit) {
    return static_cast<long>(i) >= static_cast<long>(limit.n);
  }
  template <class I>
  friend bool operator>(const Compares &limit, I i) {
    return static_cast<long>(limit.n) > static_cast<long>(i);
  }
};
template <class T>
Compares<T> limit(T n) {
  return {n};
}

void limits(int n) {
  const std::atomic<int> atomic{n};
  const Converts converts{n};
  Inherits inherits;
  inherits.n = n;
  const Chooses chooses{n};
  const Compares<int> compares{n};
  const Compares<short> narrow{static_cast<short>(n)};
  cilk_for (int i = 0; i < atomic; ++i) visits[i] += 1;
  cilk_for (long i = 0; i < converts; i += 2) visits[i] += 2;
  cilk_for (int i = 0; inherits > i; ++i) visits[i] += 3;
  cilk_for (short i = 0; i != chooses; ++i) visits[i] += 4;
  cilk_for (int i = 0; i < compares; ++i) visits[i] += 5;
  cilk_for (long i = 0; compares > i; i += 3) visits[i] += 6;
  cilk_for (unsigned char i = 0; i != narrow; ++i) visits[i] += 7;
  cilk_for (long i = n + 70000; i >= limit<short>(30000); i -= 20000) visits[i / 10000] += 8;
  cilk_for (int i = 0; i < limit(n * 2L); i += 2) visits[i / 2] += 9;
  cilk_for (unsigned i = 0; i < std::integral_constant<int, 7>(); ++i) visits[i] += 10;
}

// Operators of a base class, which return the base.
struct Place {
  long at = 0;
  Place &operator++() { return ++at, *this; }
  Place &operator--() { return --at, *this; }
  Place &operator+=(long n) { return at += n, *this; }
  Place &operator-=(long n) { return at -= n, *this; }
  long operator-(const Place &other) const { return at - other.at; }
  friend bool operator<(const Place &a, const Place &b) { return a.at < b.at; }
  friend bool operator!=(const Place &a, const Place &b) { return a.at != b.at; }
};
struct Inner : Place {};
struct Derived : Inner {
  Derived() = default;
  explicit Derived(long n) { at = n; }
};
// No operator at all but a conversion.
struct Number {
  Number(long n) : n(n) {}
  operator long &() { return n; }
  operator long() const { return n; }
  long n;
};

void variables(long n) {
  const Derived begin(0), end(n);
  cilk_for (Derived d = begin; d < end; ++d) visits[d.at] += 1;
  cilk_for (Derived d = end; d != begin; --d) visits[d.at - 1] += 2;
  cilk_for (Derived d = begin; d < end; d += 3) visits[d.at] += 3;
  cilk_for (Number i = 0L; i < n; ++i) visits[i.n] += 4;
  cilk_for (Number i = 0L; i < n; i++) visits[i.n] += 5;
  cilk_for (Number i = n; i > 0; --i) visits[i.n - 1] += 6;
  cilk_for (Number i = 0L; i < n; i += 2) visits[i.n] += 7;
}

template <class T>
void in_template(T n) {
  Compares<T> compares{n};
  cilk_for (T i = 0; i < compares; ++i) visits[i] += 1;
  cilk_for (Number i = 0L; i < static_cast<long>(n); ++i) visits[i.n] += 2;
}

}  // namespace

int main() {
  for (int n = 0; n < 60; n += 7) {
    limits(n);
    printf("%ld ", fold());
    variables(n);
    printf("%ld ", fold());
    in_template(n);
    in_template<short>(static_cast<short>(n));
    printf("%ld\n", fold());
  }
  return 0;
}
