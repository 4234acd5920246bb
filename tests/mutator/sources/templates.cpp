// Templates: CRTP, expression templates, variadics and folds, specialization, tag dispatch,
// constexpr tables.
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>
#include "common.h"

template <class Derived>
struct Shape {
  double scaled(double by) const {
    double area = self().area();
    return area * by;
  }
  const Derived &self() const { return static_cast<const Derived &>(*this); }
};
struct Square : Shape<Square> {
  explicit Square(double side) : side(side) {}
  double area() const { return side * side; }
  double side;
};
struct Circle : Shape<Circle> {
  explicit Circle(double radius) : radius(radius) {}
  double area() const { return 3 * radius * radius; }
  double radius;
};

template <class L, class R>
struct Sum {
  L left;
  R right;
  double at(int i) const {
    double a = left.at(i);
    double b = right.at(i);
    return a + b;
  }
};
struct Line {
  std::array<double, 6> v{};
  double at(int i) const { return v[static_cast<size_t>(i)]; }
  template <class E>
  Line &operator=(const E &e) {
    for (int i = 0; i < 6; ++i) {
      double x = e.at(i);
      v[static_cast<size_t>(i)] = x;
    }
    return *this;
  }
};
template <class L, class R>
Sum<L, R> plus(const L &l, const R &r) {
  return {l, r};
}

template <class T>
T twice(T n) {
  T r = n + n;
  return r;
}
template <>
bool twice(bool n) {
  return !n;
}
template <class... All>
long total(All... all) {
  long sum = (0L + ... + static_cast<long>(all));
  if constexpr (sizeof...(all) > 2) {
    long more = total(sizeof...(all));
    sum += more;
  }
  return sum;
}
template <int N>
struct Factorial {
  static long value() {
    long below = Factorial<N - 1>::value();
    return below * N;
  }
};
template <>
struct Factorial<0> {
  static long value() { return 1; }
};
template <class F, class Tuple, size_t... I>
void each(F &&f, const Tuple &tuple, std::index_sequence<I...>) {
  (f(std::get<I>(tuple)), ...);
}
template <class T>
void kind(T, std::true_type) {
  add(1);
}
template <class T>
void kind(T n, std::false_type) {
  kind(static_cast<int>(n), std::true_type{});
  add(2);
}
constexpr std::array<unsigned, 16> table() {
  std::array<unsigned, 16> result{};
  for (unsigned i = 0; i < 16; ++i) result[i] = i * i ^ (i << 3);
  return result;
}
static constexpr auto kTable = table();
static_assert(kTable[3] == (9 ^ 24));

template <class T, class Compare>
void insertion(T *begin, T *end, Compare less) {
  for (T *i = begin; i != end; ++i) {
    T moved = *i;
    T *j = i;
    while (j != begin && less(moved, j[-1])) {
      *j = j[-1];
      --j;
    }
    *j = moved;
  }
}

int main() {
  Square square(1.5);
  Circle circle(2);
  add_double(square.scaled(2));
  add_double(circle.scaled(0.5));
  Line a, b, c;
  for (int i = 0; i < 6; ++i) a.v[static_cast<size_t>(i)] = i, b.v[static_cast<size_t>(i)] = i * i;
  c = plus(a, plus(b, a));
  c = plus(c, c);
  for (double d : c.v) add_double(d);
  add(static_cast<uint64_t>(twice(4)) + static_cast<uint64_t>(twice(1.5)) + twice(true));
  add(static_cast<uint64_t>(total(1, 2L, 'c', 4.5)));
  add(static_cast<uint64_t>(Factorial<9>::value()));
  auto tuple = std::make_tuple(1, 2.5, 'x');
  each([](auto n) { add(static_cast<uint64_t>(n)); }, tuple, std::make_index_sequence<3>{});
  kind(1, std::is_integral<int>{});
  kind(1.5, std::is_integral<double>{});
  for (unsigned n : kTable) add(n);
  double values[9];
  for (double &v : values) v = static_cast<double>(next_random() % 100);
  insertion(values, values + 9, [](double x, double y) { return x > y; });
  for (double v : values) add_double(v);
  show("templates");
}
