// Spawned results that outlive their statement without being the variable: temporaries that a
// reference or a structured binding is bound to, and results whose address is known to others. They
// must live as long as in the serial program. Where it matters the results are of trivial classes,
// so only the reference refers to them.
#pragma once

#include <cilk/cilk.h>

#include <array>
#include <complex>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "check.h"
#include "counted.h"

namespace {

template <class T>
NOINLINE T give(T value) {
  linger();
  return value;
}
// Writes over the stack where a child had its locals.
NOINLINE long scrub(long n) {
  volatile long words[200];
  for (long &word : const_cast<long (&)[200]>(words)) word = -n;
  return words[n % 200];
}

struct One {
  long a;
};
struct Small {
  int a, b;
};
struct Mixed {
  long a;
  double b;
};
struct Large {
  long values[12];
};
struct Bits {
  unsigned a : 3, b : 29;
};
struct Wide {
  alignas(64) long values[2];
};
struct Empty {};
struct Base {
  long base;
};
struct Other {
  long other;
};
struct Derived : Base, Other {
  long derived;
};
struct Virtual : virtual Base {
  explicit Virtual(long n) : Base{n} {}
  long own = 5;
};
struct Further : Virtual {
  explicit Further(long n) : Base{n}, Virtual(n) {}
  long more = 6;
};
struct Wrapper {
  Wrapper(long number) : number(number) {}  // NOLINT: the conversion is what is tested
  operator long() const { return number; }  // NOLINT
  operator Small() const { return Small{static_cast<int>(number), 1}; }
  long number;
};
struct Holder {
  const long &reference;
};
struct HolderOfHolder {
  const Holder &holder;
};
struct Moving {
  Small &&small;
};

// A structured binding gets its parts from functions: references into it, temporaries, objects.
struct Parts {
  long a, b;
  template <std::size_t I>
  auto get() const {
    if constexpr (I == 0)
      return a;
    else if constexpr (I == 1)
      return Mixed{b, 0.5};
    else
      return Counted(a + b);
  }
};
struct References {
  Small small;
  template <std::size_t I>
  int &get() {
    return I == 0 ? small.a : small.b;
  }
  template <std::size_t I>
  const int &get() const {
    return I == 0 ? small.a : small.b;
  }
};

}  // namespace

template <>
struct std::tuple_size<Parts> : std::integral_constant<std::size_t, 3> {};
template <std::size_t I>
struct std::tuple_element<I, Parts> {
  using type = decltype(std::declval<Parts>().get<I>());
};
template <>
struct std::tuple_size<References> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, References> {
  using type = int;
};

namespace {

NOINLINE Large make_large(long n) {
  linger();
  Large large;
  for (long &value : large.values) value = n++;
  return large;
}
NOINLINE Derived make_derived(long n) {
  Derived derived;
  derived.base = n;
  derived.other = n + 1;
  derived.derived = n + 2;
  linger();
  return derived;
}
NOINLINE Further make_further(long n) {
  linger();
  return Further(n);
}
NOINLINE Counted make_counted(long n) {
  linger();
  return Counted(n);
}
NOINLINE long &same(long &place) {
  linger();
  return ++place, place;
}
NOINLINE long throws(long n) {
  linger();
  if (n > 0) throw std::runtime_error("thrown");
  return n;
}

void scalars() {
  const long &a = cilk_spawn give(7L);
  long &&b = cilk_spawn give(8L);
  auto &&c = cilk_spawn give(9L);
  const auto &d = cilk_spawn give('d');
  decltype(auto) e = cilk_spawn give(11L);
  const bool &f = cilk_spawn give(true);
  const double &g(cilk_spawn give(1.5));
  long double &&h{cilk_spawn give(2.5L)};
  __int128 &&i = cilk_spawn give(static_cast<__int128>(3) << 80);
  const long &j = cilk_spawn give(13L), &k = cilk_spawn give(14L), l = cilk_spawn give(15L), &m = l;
  long place = 20;
  auto &&n = cilk_spawn same(place);
  const volatile int &&o = cilk_spawn give(16);
  int Small::*&&p = cilk_spawn give(&Small::b);
  auto &&q = cilk_spawn give(&scrub);
  CHECK_EQ(scrub(1), -1);
  cilk_sync;
  CHECK_EQ(scrub(2), -2);
  b += 100;
  CHECK(&n == &place && &m == &l && p == &Small::b && q == &scrub);
  CHECK(i == static_cast<__int128>(3) << 80);
  printf("scalars: %ld %ld %ld %d %ld %d %.1f %.1Lf %ld %ld %ld %ld %ld %d\n", a, b, c, d, e, f, g,
         h, j, k, l, m, n, o);
}

void conversions() {
  const double &a = cilk_spawn give(3);
  const Wrapper &b = cilk_spawn give(4L);
  const long &c = cilk_spawn give(Wrapper(5));
  Small &&d = cilk_spawn give(Wrapper(6));
  const std::string_view &e = cilk_spawn give("seven");
  const std::optional<long> &f = cilk_spawn give(8L);
  const Base &g = cilk_spawn make_derived(9);
  Other &&h = cilk_spawn make_derived(11);
  const Base &i = cilk_spawn make_further(13);
  const Virtual &j = cilk_spawn make_further(14);
  const std::function<long(long)> &k = cilk_spawn give(&scrub);
  cilk_sync;
  scrub(3);
  printf("conversions: %.1f %ld %ld %d%d %s %ld %ld %ld %ld %ld%ld %ld\n", a, b.number, c, d.a, d.b,
         e.data(), *f, g.base, h.other, i.base, j.base, j.own, k(16));
}

void classes() {
  const Small &a = cilk_spawn give(Small{1, 2});
  Mixed &&b = cilk_spawn give(Mixed{3, 4.5});
  auto &&c = cilk_spawn make_large(5);
  const auto &d = cilk_spawn give(Wide{{6, 7}});
  [[maybe_unused]] const Empty &e = cilk_spawn give(Empty{});
  std::map<int, long> map{{1, 10}, {2, 20}};
  auto &&f = cilk_spawn map.find(2);
  std::vector<long> vector{1, 2, 3};
  const auto &g = cilk_spawn vector.begin();
  auto &&h = cilk_spawn[&vector] { return std::pair(vector.data(), vector.size()); }();
  CHECK_EQ(scrub(4), -4);
  cilk_sync;
  scrub(5);
  long sum = 0;
  for (long value : c.values) sum += value;
  CHECK(reinterpret_cast<unsigned long>(&d) % 64 == 0);
  printf("classes: %d %d %ld %.1f %ld %ld %ld %ld %ld %ld %zu\n", a.a, a.b, b.a, b.b, sum,
         d.values[0], d.values[1], f->second, *g, *h.first, h.second);
}

void bindings() {
  auto [a, b] = cilk_spawn give(std::pair(1L, 2.5));
  auto &&[c, d] = cilk_spawn give(std::tuple(3L, 'd'));
  const auto &[e, f, g] = cilk_spawn give(std::array<long, 3>{5, 6, 7});
  const auto [h, i] = cilk_spawn give(Small{8, 9});
  auto &&[j, k] = cilk_spawn give(Mixed{10, 11.5});
  auto &&[l] = cilk_spawn make_large(12);
  const auto &[m, n] = cilk_spawn give(Bits{3, 14});
  auto [o, p, q] = cilk_spawn give(Parts{15, 16});
  const auto &[r, s] = cilk_spawn give(References{{18, 19}});
  auto &&[t, u](cilk_spawn give(References{{20, 21}}));
  auto [v, w]{cilk_spawn give(std::pair<Small, const char *>({22, 23}, "w"))};
  std::map<int, long> map;
  auto [x, y] = cilk_spawn map.emplace(24, 25);
  CHECK_EQ(scrub(6), -6);
  cilk_sync;
  scrub(7);
  t += 100;
  a += 100;
  printf(
      "bindings: %ld %.1f %ld %c %ld %ld %ld %d %d %ld %.1f %ld %ld %u %u %ld %ld %ld %d %d %d %d "
      "%d %s %ld %d\n",
      a, b, c, d, e, f, g, h, i, j, k, l[0], l[11], m, n, o, p.a, q.value(), r, s, t, u, v.b, w,
      x->second, y);
}

void aggregates() {
  Holder a{cilk_spawn give(1L)};
  Holder b = {cilk_spawn give(2L)};
  HolderOfHolder c{Holder{cilk_spawn give(3L)}};
  HolderOfHolder d{{cilk_spawn give(4L)}};
  Moving e{cilk_spawn give(Small{5, 6})};
  const long (&&f)[1] = {cilk_spawn give(7L)};
  using Array = long[2];
  auto &&g = Array{cilk_spawn give(8L)};
  auto &&h = One{cilk_spawn give(9L)};
  const Holder &i = Holder{cilk_spawn give(10L)};
  cilk_sync;
  scrub(8);
  printf("aggregates: %ld %ld %ld %ld %d %ld %ld %ld %ld %ld\n", a.reference, b.reference,
         c.holder.reference, d.holder.reference, e.small.b, f[0], g[0], g[1], h.a, i.reference);
}

// The address is known before the result is there.
void addresses() {
  const long &a = cilk_spawn give(1L);
  const long *pointer = &a;
  const long &b = a;
  auto &&c = cilk_spawn make_large(2);
  auto &d = c.values;
  const auto &[e, f] = cilk_spawn give(Small{3, 4});
  const int *second = &f;
  const Base &g = cilk_spawn make_derived(5);
  const Base *base = &g;
  auto known = [&a, &c] { return a + c.values[3]; };
  cilk_sync;
  scrub(9);
  printf("addresses: %ld %ld %ld %d %d %ld %ld\n", *pointer, b, d[11], e, *second, base->base,
         known());
}

// The callee keeps the address of its result.
struct Node {
  explicit Node(long number, const Node **place) : self(this), number(number) { *place = this; }
  Node(const Node &other) = delete;
  const Node *self;
  long number;
};
NOINLINE Node make_node(long number, const Node **place) {
  linger();
  return Node(number, place);
}
NOINLINE long keep(long number, long *place, long **kept) {
  linger();
  *kept = place;
  return number;
}
NOINLINE Mixed keep(Mixed value, Mixed *place, Mixed **kept) {
  *kept = place;
  linger();
  return value;
}
void own_addresses() {
  const Node *a = nullptr, *b = nullptr, *c = nullptr;
  long *d = nullptr, *e = nullptr;
  Mixed *f = nullptr;
  [[maybe_unused]] Node first = cilk_spawn make_node(1, &a);
  [[maybe_unused]] const Node &second = cilk_spawn make_node(2, &b);
  [[maybe_unused]] auto &&[self, number] = cilk_spawn make_node(3, &c);
  long fourth = cilk_spawn keep(4, &fourth, &d);
  long fifth = cilk_spawn[&e, &fifth] { return e = &fifth, 5L; }();
  Mixed sixth = cilk_spawn keep(Mixed{6, 0.5}, &sixth, &f);
  CHECK_EQ(scrub(10), -10);
  cilk_sync;
  scrub(11);
  CHECK(a->self == a && b->self == b && c->self == c);
  printf("own addresses: %ld %ld %ld %ld %ld %ld\n", a->number, b->number, c->number, *d, *e, f->a);
}

// With destructors: they run when the reference ends, not before.
void objects() {
  const long before = Counted::made();
  {
    const Counted &a = cilk_spawn make_counted(1);
    Counted &&b = cilk_spawn make_counted(2);
    auto &&[c, d] = cilk_spawn give(std::pair<long, Counted>(3, 4));
    const auto &[e, f] = cilk_spawn give(std::pair<Counted, Small>(Counted(5), Small{6, 7}));
    cilk_sync;
    scrub(12);
    b.set(22);
    printf("objects: %ld %ld %ld %ld %ld %d\n", a.value(), b.value(), c, d.value(), e.value(), f.b);
  }
  printf("objects: %ld constructions\n", Counted::made() - before);
}

// The implicit sync comes before the destructors of what is bound.
void implicit_sync() {
  [[maybe_unused]] const Counted &a = cilk_spawn make_counted(1);
  [[maybe_unused]] auto [b, c, d] = cilk_spawn give(Parts{2, 3});
  scrub(21);
}

void blocks(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    const long &a = cilk_spawn give(i);
    auto &&[b, c] = cilk_spawn give(std::pair(i, i + 1));
    cilk_sync;
    sum += scrub(i) + a * 10 + b * 100 + c * 1000;
  }
  if (n > 1) {
    const Small &a = cilk_spawn give(Small{1, 2});
    cilk_sync;
    sum += a.b;
  }
  cilk_scope {
    auto &&a = cilk_spawn give(Mixed{4, 5});
    const long &b = cilk_spawn give(6L);
    scrub(13);
    cilk_sync;
    sum += a.a + b;
  }
  try {
    const auto &[a, b] = cilk_spawn give(std::pair(7L, 8L));
    auto &&c = cilk_spawn give(9L);
    cilk_sync;
    sum += scrub(14) + a + b + c;
    const long &d = cilk_spawn throws(n);
    scrub(15);
    cilk_sync;
    sum += d;
  } catch (const std::runtime_error &) {
    sum += 1000000;
  }
  const long &outer = cilk_spawn give(10L);
  cilk_spawn {
    const long &inner = cilk_spawn give(11L);
    auto &&[a, b] = cilk_spawn give(std::tuple(12L, 13L));
    cilk_sync;
    CHECK_EQ(inner + a + b, 36);
  }
  cilk_sync;
  sum += scrub(16) + outer;
  long each[8] = {};
  cilk_for (int i = 0; i < 8; ++i) {
    const long &a = cilk_spawn give(static_cast<long>(i));
    auto &&[b, c] = cilk_spawn give(std::array<long, 2>{i, i * 2});
    scrub(17);
    cilk_sync;
    each[i] = a + b + c;
  }
  for (long value : each) sum = sum * 3 + value;
  auto lambda = [&sum](auto number) {
    const auto &a = cilk_spawn give(number);
    auto &&[b, c] = cilk_spawn give(std::pair(number, number));
    cilk_sync;
    sum += scrub(18) + static_cast<long>(a + b + c);
  };
  lambda(1L);
  lambda(2.5);
  printf("blocks: %ld\n", sum);
}

template <class T, class... Args>
auto of_type(Args... args) {
  T &&a = cilk_spawn give(T(args...));
  const T &b = cilk_spawn give(T(args...));
  auto [c, d] = cilk_spawn give(std::pair(T(args...), 1));
  cilk_sync;
  scrub(19);
  return std::tuple(a, b, c, d);
}

// An exception passes the ends of constructed temporaries, and of one that was not constructed.
void exceptions(long n) {
  for (long which = 0; which < 3; ++which) try {
      const Counted &a = cilk_spawn make_counted(1);
      const long &b = cilk_spawn throws(which == 1 ? n : 0);
      auto &&[c, d] = cilk_spawn[=] { return std::pair(throws(which == 2 ? n : 0), Counted(2)); }();
      auto [e, f, g] = cilk_spawn give(Parts{throws(0), 3});
      scrub(20);
      cilk_sync;
      printf("exceptions: %ld %ld %ld %ld %ld %ld %ld\n", a.value(), b, c, d.value(), e, f.a,
             g.value());
    } catch (const std::runtime_error &error) {
      printf("exceptions: %s\n", error.what());
    }
}

}  // namespace

int main() {
  for (int i = 0; i < 3; ++i) {
    scalars();
    conversions();
    classes();
    bindings();
    aggregates();
    addresses();
    own_addresses();
    objects();
    implicit_sync();
    blocks(4);
    exceptions(1);
    auto [a, b, c, d] = of_type<long>(5);
    auto [e, f, g, h] = of_type<std::string>(3, 'x');
    auto [j, k, l, m] = of_type<std::complex<double>>(1.5, 2);
    printf("templates: %ld %s %.1f\n", a + b + c + d, (e + f + g).c_str(),
           (j + k + l).imag() + h + m);
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
