// Classes and the code around spawns in C++: multiple and virtual inheritance, constructors and
// destructors that spawn, static and thread_local variables, structured bindings, lambdas that
// capture them, pack expansions, initializer lists, default arguments, library types as results,
// lambdas in types and in arguments of templates.
//
// matrix: flags -std=c++20

#include <cilk/cilk.h>

#include <any>
#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "../support/check.h"

namespace {

template <class T>
NOINLINE T give(T v) {
  linger();
  return v;
}
struct B {
  virtual ~B() = default;
  virtual long v(long n) {
    linger();
    return n + 1;
  }
  virtual B *self() { return this; }
  long data = 3;
};
struct P2 {
  virtual ~P2() = default;
  virtual long w(long n) { return n; }
  char pad[40]{};
};
struct D : P2, B {
  long v(long n) override {
    linger();
    return n * 2 + extra;
  }
  D *self() override { return this; }
  long w(long n) override { return v(n) + 1; }
  long extra = 7;
};
struct V : virtual B {
  long v(long n) override { return n * 5 + data; }
};
long polymorphic() {
  D d;
  V v;
  B *b = &d;
  B &r = v;
  P2 *p = &d;
  std::unique_ptr<B> q = std::make_unique<D>();
  long (B::*pm)(long) = &B::v;
  long (D::*pd)(long) = &D::v;
  long B::*dm = &B::data;
  long a1 = cilk_spawn b->v(1), a2 = cilk_spawn r.v(2), a3 = cilk_spawn p->w(3);
  long a4 = cilk_spawn q->v(4), a5 = cilk_spawn(b->*pm)(5), a6 = cilk_spawn(d.*pd)(6);
  long a7 = cilk_spawn std::invoke(pm, *b, 7), a8 = cilk_spawn d.B::v(8);
  long a9 = cilk_spawn b->self()->v(9);
  B *a10 = cilk_spawn b->self();
  D *a11 = cilk_spawn d.self();
  long B::*a12 = cilk_spawn give(dm);
  long (B::*a13)(long) = cilk_spawn give(pm);
  long (D::*a14)(long) = cilk_spawn give(pm);
  cilk_sync;
  CHECK(a10 == b && a11 == &d);
  return a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + d.*a12 + (b->*a13)(1) + (d.*a14)(2);
}
NOINLINE std::pair<int, std::string> mk_pair(int n) {
  linger();
  return {n, "a long string that does not fit in place"};
}
long results() {
  auto pr = cilk_spawn mk_pair(3);
  std::pair<long, std::string> conv = cilk_spawn mk_pair(4);
  std::optional<std::string> o = cilk_spawn give(std::string("optional text text text text text"));
  std::variant<int, std::string> va = cilk_spawn give(std::string("variant text"));
  std::any any = cilk_spawn give(std::string("any"));
  std::tuple<int, long, std::string> tu = cilk_spawn give(std::make_tuple(1, 2, "x"));
  std::map<int, std::string> m;
  for (int i = 0; i < 4; i++) m[i];
  for (int i = 0; i < 4; i++) m[i] = cilk_spawn std::to_string(i * 1000);
  std::vector<std::unique_ptr<long>> us(3);
  for (int i = 0; i < 3; i++)
    us[i] = cilk_spawn std::make_unique<long>(long{i});  // i itself would be taken by reference
  std::atomic<long> at;
  at = cilk_spawn give(7L);
  std::atomic<long> at2 = cilk_spawn give(7L);
  volatile int vo;
  vo = cilk_spawn give(3);
  auto &&rr = cilk_spawn give(std::string("extended"));
  const std::string &cr = cilk_spawn give(std::string("const extended life"));
  std::string arr[2];
  arr[0] = cilk_spawn give(std::string("zero"));
  arr[1] = cilk_spawn give("one");
  long (*fp)(long) = cilk_spawn give(static_cast<long (*)(long)>([](long x) { return x; }));
  std::vector<int> il = cilk_spawn give(std::vector<int>{1, 2, 3});
  cilk_sync;
  auto &[p0, p1] = pr;
  auto [q0, q1] = conv;
  p0 = cilk_spawn give(12);
  p1 = cilk_spawn give(std::string("bound"));
  auto lam = [&, q0 = q0] { return q0 + (long)q1.size(); };
  long l = cilk_spawn lam();
  cilk_sync;
  return p0 + (long)p1.size() + l + (long)o->size() + (long)std::get<1>(va).size() +
         (long)std::any_cast<std::string>(any).size() + std::get<1>(tu) + (long)m[3].size() +
         *us[2] + at + at2 + vo + (long)rr.size() + (long)cr.size() + (long)arr[0].size() +
         (long)arr[1].size() + fp(3) + il[2];
}
template <class T>
struct Tpl {
  T value;
  T other;
  Tpl(T v) : value(v) {
    other = cilk_spawn give(v);
    value = give(v) + 1;
    cilk_sync;
    total();
  }
  Tpl() : Tpl(T(4)) {
    long x = cilk_spawn give(3L);
    value += 1;
    cilk_sync;
    value += (T)x;
  }
  void total() {
    T x = cilk_spawn this->twice(value);
    T y = [this] {
      T z = cilk_spawn twice(other);
      cilk_sync;
      return z;
    }();
    cilk_sync;
    value = x + y;
  }
  NOINLINE T twice(T v) {
    linger();
    return v * 2;
  }
  ~Tpl() {
    T x = cilk_spawn twice(value);
    T y = twice(other);
    cilk_sync;
    sum += (long)(x + y);
  }
  static inline std::atomic<long> sum = 0;
};
struct VB {
  long a;
  VB(long n) {
    a = cilk_spawn give(n);
    long b = give(2L);
    cilk_sync;
    a += b;
  }
  virtual ~VB() {
    cilk_spawn give(a);
    cilk_sync;
  }
};
struct VL : virtual VB {
  VL() : VB(1) {
    long x = cilk_spawn give(a);
    cilk_sync;
    a += x;
  }
};
struct VR : virtual VB {
  VR() : VB(2) {
    long x = cilk_spawn give(a);
    cilk_sync;
    a += x;
  }
};
struct VBot : VL, VR {
  VBot() : VB(5) {
    long x = cilk_spawn give(a);
    cilk_sync;
    a += x;
  }
  ~VBot() override {
    cilk_spawn give(a);
    give(1);
  }
};
static long static_init = [] {
  long x = cilk_spawn give(4L);
  long y = give(5L);
  cilk_sync;
  return x * y;
}();
inline thread_local long tl = 5;
thread_local std::string tls = "thread local string";
NOINLINE long *tla() { return &tl; }
NOINLINE std::string *tlsa() { return &tls; }
long statics(long n) {
  static long calls = 0;
  static std::string s = give(std::string("static"));
  static thread_local long mine = 3;
  ++calls;
  mine++;
  long x = cilk_spawn give(n);
  calls++;
  tl = 4;
  CHECK(&tl == tla());
  CHECK(&tls == tlsa());
  for (int i = 0; i < 5; i++) {
    cilk_spawn give(i);
    CHECK(&tl == tla());
    CHECK(&tls == tlsa());
    CHECK(tls.size() == 19);
    tl += i;
    CHECK(*tla() == tl);
    if (i & 1) cilk_sync;
    CHECK(&tl == tla());
    CHECK(&tls == tlsa());
  }
  cilk_sync;
  CHECK(&tl == tla());
  CHECK(&tls == tlsa());
  return x + calls + (long)s.size() + mine * 0;
}
NOINLINE long il(std::initializer_list<int> l, std::string s = "default") {
  linger();
  long t = (long)s.size();
  for (int x : l) t += x;
  return t;
}
NOINLINE long sv(std::string_view v, const std::vector<std::string> &w = {"a", "b"}) {
  linger();
  return (long)v.size() + (long)w.size();
}
template <class... T>
long pack2(T... t) {
  long a = cilk_spawn il({t...});
  long b = cilk_spawn il({t..., t...}, std::string("x") + "y");
  long c = cilk_spawn sv(std::string("temporary") + "yes", {std::to_string(t)...});
  cilk_sync;
  return a + b * 3 + c;
}
[[noreturn]] NOINLINE void thrower(int n) {
  linger();
  throw n;
}
long throws() {
  long r = 0;
  try {
    cilk_spawn thrower(5);  // matrix: never (it never comes to its end: done in place)
    cilk_sync;
  } catch (int n) {
    r = n;
  }
  try {
    long x = cilk_spawn give(1L);
    thrower(7);
    r += x;
  } catch (int n) {
    r += n;
  }
  return r;
}

long conversions() {
  const B &br = cilk_spawn give(B{});
  std::shared_ptr<B> sp = cilk_spawn std::make_shared<D>();
  cilk_sync;
  return br.data + sp->data;
}

template <auto Function =
              [](long n) {
                const long first = cilk_spawn give(n);
                const long second = give(n);
                cilk_sync;
                return first + second;
              }>
long call(long n) {
  return Function(n);
}
long lambdas() {
  decltype([](auto n) {
    const long first = cilk_spawn give(n);
    const long second = give(n);
    cilk_sync;
    return first + second;
  }) generic;
  const long other = call<[](long n) {
    const long first = cilk_spawn give(n + 1);
    const long second = give(n - 1);
    cilk_sync;
    return first + second;
  }>(1);
  return other + 10 * call(2) + 100 * generic(3) + 1000 * generic('\4');
}

}  // namespace

int main() {
  CHECK_EQ(lambdas(), 8642);
  printf("polymorphic: %ld, conversions: %ld\n", polymorphic(), conversions());
  printf("results: %ld\n", results());
  {
    Tpl<long> a;
    Tpl<double> b(2.5);
    printf("templates: %ld %g\n", a.value, b.value);
  }
  printf("destroyed: %ld\n", Tpl<long>::sum + Tpl<double>::sum);
  {
    VBot v;
    printf("virtual bases: %ld\n", v.a);
  }
  printf("statics: %ld %ld\n", static_init, statics(4));
  printf("packs: %ld, throws: %ld\n", pack2(1, 2, 3), throws());
  return 0;
}
