// Spawned calls that do not look like calls: every kind of overloaded operator, literals,
// conversions; functions of the C library, whose calls the optimizer knows; lambdas that spawn
// themselves, callables with state that can only be moved.
//
// matrix: flags -std=c++23

#include <cilk/cilk.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../support/check.h"

namespace {

template <class T>
NOINLINE T give(T v) {
  linger();
  return v;
}
struct Ops {
  long n = 2;
  NOINLINE Ops operator+(const Ops &o) const {
    linger();
    return {n + o.n};
  }
  NOINLINE Ops &operator+=(long o) {
    linger();
    n += o;
    return *this;
  }
  NOINLINE Ops operator-() const { return {-n}; }
  NOINLINE Ops &operator++() {
    ++n;
    return *this;
  }
  NOINLINE Ops operator++(int) {
    Ops c = *this;
    ++n;
    return c;
  }
  NOINLINE bool operator!() const { return !n; }
  NOINLINE long operator*() const { return n; }
  NOINLINE long operator()(long a, long b) const {
    linger();
    return a * b + n;
  }
  NOINLINE long operator[](long a, long b) const {
    linger();
    return a + b + n;
  }
  static NOINLINE long operator()(const char *s) {
    linger();
    return (long)std::strlen(s);
  }
  NOINLINE Ops *operator->() {
    linger();
    return this;
  }
  NOINLINE long operator->*(long m) const {
    linger();
    return m * n;
  }
  NOINLINE auto operator<=>(const Ops &o) const {
    linger();
    return n <=> o.n;
  }
  NOINLINE bool operator==(const Ops &o) const {
    linger();
    return n == o.n;
  }
  NOINLINE operator std::string() const {
    linger();
    return std::to_string(n);
  }
  template <class Self>
  NOINLINE auto deduced(this Self &&self, long k) {
    linger();
    return self.n * k;
  }
  friend NOINLINE long hidden_friend(const Ops &o) {
    linger();
    return o.n + 100;
  }
  NOINLINE Ops &operator=(long v) {
    linger();
    n = v * 2;
    return *this;
  }
  Ops(long n = 2) : n(n) {}
  Ops(const Ops &) = default;
  Ops &operator=(const Ops &) = default;
};
NOINLINE Ops operator""_ops(unsigned long long v) {
  linger();
  return {(long)v};
}
NOINLINE std::ostream &operator<<(std::ostream &o, const Ops &x) {
  linger();
  return o << x.n;
}
NOINLINE Ops operator%(Ops a, Ops b) {
  linger();
  return {a.n % b.n};
}

long operators() {
  Ops a{5}, b{7};
  Ops r = cilk_spawn(a + b);
  Ops r2;
  r2 = cilk_spawn operator%(b, a);
  Ops neg = cilk_spawn a.operator-();
  cilk_spawn[&] {}();
  long call = cilk_spawn a(3, 4);
  long sub = cilk_spawn a[3, 4];
  long st = cilk_spawn Ops::operator()("abc");
  long st2 = cilk_spawn a("abcd");
  long mem = cilk_spawn(a->*4);
  bool eq = cilk_spawn(a == b);
  std::string s = cilk_spawn a.operator std::string();
  std::string s2 = cilk_spawn give(b);
  long fr = cilk_spawn hidden_friend(a);
  long ded = cilk_spawn a.deduced(4);
  long ded2 = cilk_spawn Ops{9}.deduced(4);
  Ops lit = cilk_spawn 77_ops;
  std::ostringstream o;
  cilk_spawn o << Ops{12345};
  cilk_sync;
  Ops t{1};
  cilk_spawn t += 5;
  cilk_sync;
  cilk_spawn++t;
  cilk_sync;
  cilk_spawn t++;
  cilk_sync;
  t = cilk_spawn give(30L);
  cilk_sync;
  cilk_spawn(t = 4);
  cilk_sync;
  return r.n + r2.n + neg.n + call + sub + st + st2 + mem + eq * 10 + (long)s.size() +
         (long)s2.size() + fr + ded + ded2 + lit.n + (long)o.str().size() + t.n;
}
long library() {
  char buf[64] = {};
  const char *src = "hello spawned world";
  cilk_spawn memcpy(buf, src, 20);
  cilk_sync;
  size_t n = cilk_spawn strlen(src);
  void *p = cilk_spawn malloc(32);
  double sq = cilk_spawn sqrt(2.0 * (double)strlen(buf));
  double ab = cilk_spawn fabs(-3.5);
  int av = cilk_spawn abs(-4);
  double fl = cilk_spawn std::floor(3.7);
  float sf = cilk_spawn std::sqrt(16.0f);
  int c = cilk_spawn memcmp(buf, src, 5);
  char b2[32];
  int w = cilk_spawn snprintf(b2, sizeof b2, "%d %s", 42, "x");
  cilk_sync;
  cilk_spawn memset(buf, 'a', 10);
  cilk_spawn free(p);
  cilk_sync;
  cilk_spawn printf("from printf %s %s\n", buf, b2);
  cilk_sync;
  const char *f = cilk_spawn strchr(src, 's');
  std::string str = cilk_spawn std::to_string(55);
  std::vector<int> vec(5, 1);
  cilk_spawn vec.push_back(4);
  cilk_sync;
  return (long)n + (long)(sq * 100) + (long)ab + av + (long)fl + (long)sf + (c == 0) + w +
         (f - src) + (long)str.size() + (long)vec.size();
}
long callables(long n) {
  std::function<long(long)> f = [n](long x) {
    linger();
    return x + n;
  };
  auto generic = [&](auto... xs) {
    linger();
    return (xs + ... + n);
  };
  auto fib = [](this auto &&self, long k) -> long {
    if (k < 2) return k;
    long x = cilk_spawn self(k - 1);
    long y = self(k - 2);
    cilk_sync;
    return x + y;
  };
  std::function<long(long)> rec = [&rec](long k) -> long {
    if (k < 2) return k;
    long x = cilk_spawn rec(k - 1);
    long y = rec(k - 2);
    cilk_sync;
    return x + y;
  };
  auto up = std::make_unique<long>(5);
  long a = cilk_spawn f(1), b = cilk_spawn generic(1, 2L, short(3)), c = cilk_spawn fib(8),
       d = cilk_spawn rec(7);
  long e = cilk_spawn[u = std::move(up), n] {
    linger();
    return *u + n;
  }();
  cilk_sync;
  return a + b + c + d + e;
}

struct Conv {
  operator long() const { return 42; }
  explicit operator bool() const { return true; }
};
NOINLINE Conv conv() {
  linger();
  return {};
}
long conversions() {
  long x = cilk_spawn conv();
  double d = cilk_spawn conv();
  bool b(cilk_spawn conv());
  long y;
  y = cilk_spawn conv();
  cilk_sync;
  return x + static_cast<long>(d) + b + y;
}

}  // namespace

int main() {
  printf("operators: %ld, conversions: %ld\n", operators(), conversions());
  printf("library: %ld, callables: %ld\n", library(), callables(3));
  return 0;
}
