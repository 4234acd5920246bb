// Initializer lists with spawned parts, in C++: arrays, structs, std::array, nested lists, and
// other parts between the spawned ones.

#include <cilk/cilk.h>

#include <array>
#include <utility>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long work(long n) {
  linger();
  return n * 3 + 1;
}
NOINLINE long fail_if(bool fails, long n) {
  linger();
  if (fails) throw n;
  return n;
}
struct Pair {
  long a;
  short b;
};
NOINLINE Pair pair(long n) {
  linger();
  return {n, static_cast<short>(n + 1)};
}
struct Deep {
  int head;
  Pair pairs[2];
  double tail;
};
// Converts, and copies as a whole.
struct Converted {
  Converted(long n) : n(n) {}
  long n;
};

NOINLINE long take(const Counted &counted, long n) {
  linger();
  return counted.value() + n;
}

long arrays(long n) {
  long a[3] = {cilk_spawn work(n), n++, cilk_spawn work(n)};
  n += 10;
  const int b[4] = {1, cilk_spawn static_cast<int>(work(n))};  // the rest is zero
  double c[] = {cilk_spawn static_cast<double>(work(n)),
                cilk_spawn static_cast<double>(work(n + 1)),
                0.5};
  long d[2][2] = {{cilk_spawn work(1), 2}, {n, cilk_spawn work(4)}};
  long e = cilk_spawn work(2), f[2]{cilk_spawn work(n + 3), cilk_spawn take(Counted(5), n)};
  n = 0;
  cilk_sync;
  return a[0] + 3 * a[1] + 5 * a[2] + 7 * b[1] + b[2] + b[3] +
         static_cast<long>(c[0] + c[1] + c[2] * 2) + 11 * d[0][0] + d[0][1] + d[1][0] +
         13 * d[1][1] + e + f[0] + 17 * f[1];
}

long structs(long n) {
  Pair p = {cilk_spawn work(n), 5};
  Deep deep{int(n), {cilk_spawn pair(n), {7, 8}}, cilk_spawn static_cast<double>(work(n))};
  const Pair pairs[3] = {cilk_spawn pair(1), pair(2), cilk_spawn pair(3)};
  const Pair rest[4] = {cilk_spawn pair(4), pair(5)};  // two are zero
  const Deep deeper[2] = {{int(n), {cilk_spawn pair(6)}, 0.5}};
  Converted converted[2] = {cilk_spawn work(n), 6};
  std::array<long, 3> array = {cilk_spawn work(n), work(n), cilk_spawn work(n + 2)};
  auto [x, y] = std::pair<long, long>(n, n);
  cilk_sync;
  return p.a + p.b + deep.head + deep.pairs[0].a * 3 + deep.pairs[0].b + deep.pairs[1].b +
         static_cast<long>(deep.tail) + pairs[0].b + pairs[1].a * 5 + pairs[2].b * 7 +
         converted[0].n + converted[1].n * 11 + array[0] + array[1] * 13 + array[2] * 17 + x + y +
         rest[0].a + rest[1].b * 3 + rest[2].a + rest[3].b + deeper[0].pairs[0].b * 5 +
         deeper[0].pairs[1].a + deeper[1].head;
}

// One that throws, in a child or between.
long throwing(long n) {
  BalanceCheck balance;
  try {
    Counted around(3);
    long a[4] = {cilk_spawn fail_if(n == 0, 1), fail_if(n == 1, 2),
                 cilk_spawn take(Counted(fail_if(n == 2, 3)), 1), cilk_spawn fail_if(n == 3, 4)};
    cilk_sync;
    return a[0] + a[1] + a[2] + a[3] + around.value();
  } catch (long m) {
    return -m;
  }
}

template <class T>
T in_template(T n) {
  T a[2] = {static_cast<T>(n), cilk_spawn static_cast<T>(work(n))};
  int fixed[2] = {1, cilk_spawn static_cast<int>(work(2))};
  auto lambda = [&] {
    T b[2] = {cilk_spawn static_cast<T>(work(n)), n};
    linger();
    cilk_sync;
    return static_cast<T>(b[0] + b[1]);
  };
  T c = lambda();
  cilk_sync;
  return static_cast<T>(a[0] + a[1] * 3 + c * 5 + fixed[1]);
}

long in_a_loop(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    long a[3] = {i, cilk_spawn work(i), cilk_spawn work(i + 1)};
    cilk_sync;
    sum = sum * 3 + a[0] + a[1] + a[2];
  }
  return sum;
}

}  // namespace

int main() {
  for (long n = 0; n < 6; ++n) {
    printf("%ld %ld %ld\n", arrays(n), structs(n), throwing(n));
    printf("%ld %d %ld\n", in_template(n), in_template(static_cast<short>(n)), in_a_loop(n));
  }
  return 0;
}
