// Functions that may end behind a few instructions of tests, but more than are done twice: they are cut behind these, and who spawns or calls them goes on where
// the tests gave up (docs/decisions/0021). What the tests computed has to arrive there, of every type and in any number, on every way to it.

#include <cilk/cilk.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "../support/check.h"

namespace {

// Eight floating-point values: as many as there are registers for them.
double integrate(double x1, double y1, double x2, double y2, double area) {
  const double half = (x2 - x1) / 2, x0 = x1 + half, y0 = (x0 * x0 + 1) * x0;
  const double left_area = (y1 + y0) / 2 * half, right_area = (y0 + y2) / 2 * half;
  if (std::fabs(left_area + right_area - area) < 1e-3) return left_area + right_area;
  const double left = cilk_spawn integrate(x1, y1, x0, y0, left_area);
  const double right = integrate(x0, y0, x2, y2, right_area);
  cilk_sync;
  return left + right;
}

// One floating-point value too many.
double nine(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
  const double sum = a * 3 + b * 5 + c * 7;
  if (sum > 1000) return sum + d;
  const double left = cilk_spawn nine(a * 2 + 1, b, c, d, e, f, g, h, i);
  const double right = nine(a * 3 + 2, c + 20, b, e, d, g, f, i + 1, h);
  cilk_sync;
  return left - right / 2 + sum + a + b + c + d + e + f + g + h + i;
}

// Loads in front of the test, and of what they load something behind it.
struct Node {
  Node *left, *right;
  long value;
};

long walk(const Node *node, long depth) {
  const Node *left = node->left, *right = node->right;
  const long here = node->value * 3 + depth;
  if (left == nullptr && right == nullptr) return here;
  long a = 0, b = 0;
  if (left != nullptr) a = cilk_spawn walk(left, depth + 1);
  if (right != nullptr) b = walk(right, depth + 1);
  cilk_sync;
  return here + a * 7 + b * 11;
}

Node nodes[255];

const Node *tree() {
  for (long i = 0; i < 255; ++i)
    nodes[i] = {2 * i + 1 < 255 && i % 7 != 3 ? &nodes[2 * i + 1] : nullptr, 2 * i + 2 < 255 ? &nodes[2 * i + 2] : nullptr, i * i};
  return nodes;
}

// A result in memory, a member function, and an object that is made behind the test and destroyed at the end.
struct Range {
  long low, high;
  struct Sums {
    long count, sum, most;
  };
  Sums sums(long scale) const {
    const long size = high - low, middle = low + size / 2, weight = middle * scale + size;
    if (size < 2 && weight != 1'000'000'000) return {size, low * scale, weight};
    const std::string name = std::to_string(weight);
    const Sums left = cilk_spawn Range{low, middle}.sums(scale);
    const Sums right = Range{middle, high}.sums(scale + 1);
    cilk_sync;
    return {left.count + right.count, left.sum + right.sum + static_cast<long>(name.size()), std::max(left.most, right.most)};
  }
};

// Several tests, early results of their own, and a value that depends on the way to the late part.
long ways(long n, int kind) {
  long step;
  switch ((n * 5 + kind) & 7) {
    case 0: step = 3; break;
    case 1: return n * 2;
    case 5: step = n & 1 ? 2 : 1; break;
    default: step = 1; break;
  }
  const long hash = (n ^ (n >> 3)) * 31 + kind;
  if (n < 3) return hash;
  if (hash % 13 == 4) return hash - n;
  const long a = cilk_spawn ways(n - step, kind + 1);
  const long b = ways(n - 2, kind);
  cilk_sync;
  return a + b * 2 + hash + step;
}

// The late part comes back to the test: not to be cut.
long again(long n, long sum) {
  for (;;) {
    const long key = (n * 7 + 3) ^ (sum >> 2);
    if (n < 2 + (key & 1)) return sum + key;
    const long part = cilk_spawn again(n / 2, key & 255);
    const long other = n * 3 & 15;
    cilk_sync;
    sum += part ^ other;
    n -= 3;
  }
}

// Values that are narrow, wide, or vectors.
typedef float Four __attribute__((vector_size(16)));

float lanes(Four v, signed char small, bool odd, short half) {
  const Four next = v * 0.5f + Four{1, 2, 3, 4};
  const float sum = next[0] + next[1] + next[2] + next[3];
  if (small <= 0 || sum < 2) return odd ? sum : -sum;
  const float a = cilk_spawn lanes(next, static_cast<signed char>(small - 1), !odd, static_cast<short>(half - 1));
  const float b = lanes(-next, static_cast<signed char>(small - 2), odd, half);
  cilk_sync;
  return a + b + next[small & 3] + half;
}

__int128 wide(__int128 n, long m) {
  const __int128 square = n * n + m;
  if ((square >> 10) == 0) return square;
  const __int128 a = cilk_spawn wide(n / 2, m + 1);
  const __int128 b = wide(n - n / 3 - 1, m);
  cilk_sync;
  return a + b + square;
}

// What is thrown behind the test, caught in front of it by the caller, or goes through it.
struct Fault {
  long where;
};

long throwing(long n, long budget) {
  const long key = (n * 37 + budget * 11) % 1024, left = budget - key % 3;
  if (n < 2 || left < 0) return key;
  if (key % 31 == 5 || key % 43 == 17) throw Fault{n};
  long a = 0, b = 0, odd = 0;
  try {
    a = cilk_spawn throwing(n - 1, left);
    odd = key & 1;
    cilk_sync;
  } catch (const Fault &fault) {
    if (fault.where % 2 == 0) throw;
    a = fault.where;
  }
  b = cilk_spawn throwing(n - 2, left - 1);
  const long c = n > 6 ? n / 3 : n;
  cilk_sync;
  return a + b * 3 + c + odd;
}

// One calls the other, and the first is also called through a pointer.
long ping(long n, long salt);

long pong(long n, long salt) {
  const long key = (n << 4 | salt) * 17 % 101;
  if (n < 2 || key == 50) return key;
  long a, b;
  cilk_spawn [&] { a = ping(n - 1, key & 15); }();
  b = ping(n - 2, salt);
  cilk_sync;
  return a * 3 + b;
}

long ping(long n, long salt) {
  const long key = (n + salt * 29) % 97 * 5;
  if (n < 1 || key == 75) return key + 1;
  long a = cilk_spawn pong(n - 1, salt ^ 5);
  long b = pong(n - 1, key & 7);
  cilk_sync;
  return a + b + key;
}

long (*volatile through)(long, long) = ping;

// Results that are converted, dropped, or stored through what the child is given.
int narrow(long n) {
  const long key = n * n % 1000 + n / 3;
  if (key < 20) return static_cast<int>(key);
  struct {
    short kept = 0;
    double real = 0;
  } here;
  here.kept = cilk_spawn narrow(n / 2);
  here.real = cilk_spawn narrow(n / 3);
  cilk_spawn narrow(n / 4);
  cilk_sync;
  return here.kept + static_cast<int>(here.real * 0.5) + static_cast<int>(key);
}

void fill(long *from, long *to, long step) {
  const long size = to - from, middle = size / 2 * step % (size + 1);
  if (size < 3) {
    if (size > 0) from[0] = step;
    if (size > 1) from[1] = -step;
    return;
  }
  cilk_spawn fill(from, from + middle, step + 1);
  fill(from + middle, to, step + 2);
}

// What the late part uses may be the address of a local that is its own.
NOINLINE long add(long *to, long n) {
  __asm__ volatile("" ::: "memory");
  return *to += n;
}

long whose(long *given, long n, long salt) {
  long own = salt, *to;
  const long key = (n + salt * 29) * 31 / 97 * 5;
  if (key > 1000) {
    to = &own;
  } else {
    if (n < 3) return key;
    to = given;
    if (key % 7 == 1) return n;
  }
  long child = 0;
  const long a = cilk_spawn whose(&child, n - 1, salt ^ 5);
  own = 5;
  const long sum = add(to, n) + add(&own, n);
  cilk_sync;
  const long b = whose(&child, n - 2, key & 7);
  return a + b + key + sum + child;
}

// A template, and a value that never changes.
template <class T>
T power(T base, unsigned exponent, T unit) {
  const T square = base * base % 1'000'003;
  const unsigned half = exponent / 2;
  if (half == 0 && square != 7) return exponent == 0 ? unit : base;
  const T a = cilk_spawn power<T>(square, half, unit);
  const T b = exponent % 2 != 0 ? base : unit;
  cilk_sync;
  return a * b % 1'000'003;
}

}  // namespace

// A caller that knows what a test will say: some of the paths are none there. (Not of this module alone, or the optimizer makes a function for each.)
long known(int kind, long n, long salt) {
  const long key = (n + salt * 29) % 97 * 5 ^ n;
  switch (kind) {
    case 2:
      if (key < 200) return key;
      break;
    case 1: return key + 3;
    case 3: break;
    default:
      if (n < 1) return key;
      break;
  }
  if (n < -2) return key + 5;
  const long a = cilk_spawn known(1, n - 1, salt ^ 5);  // matrix: never (it returns at once)
  const long b = cilk_spawn known(2, n - 2, salt ^ 7);
  const long c = cilk_spawn known(3, n - 3, key & 7);
  const long d = known(0, n - 1, key & 7);
  cilk_sync;
  return a + b * 3 + c * 5 + d * 7 + key;
}

int main() {
  std::printf("%.6f\n", integrate(0, 0, 20, 8020, 80200));
  std::printf("%.3f\n", nine(1, 2, 3, 4, 5, 6, 7, 8, 9));
  std::printf("%ld\n", walk(tree(), 1));
  const Range::Sums sums = Range{3, 90}.sums(5);
  std::printf("%ld %ld %ld\n", sums.count, sums.sum, sums.most);
  std::printf("%ld\n", ways(13, 2) + ways(12, 5));
  std::printf("%ld\n", again(60, 1));
  std::printf("%.4f\n", static_cast<double>(lanes(Four{8, 4, 2, 1}, 9, true, 11)));
  std::printf("%ld\n", static_cast<long>(wide(400, 3) % 1'000'000'007));
  long caught = 0;
  for (long n = 2; n < 12; ++n) {
    try {
      caught = caught * 5 + throwing(n, 12);
    } catch (const Fault &fault) {
      caught = caught * 7 + fault.where;
    }
  }
  std::printf("%ld\n", caught);
  std::printf("%ld\n", through(9, 3) + ping(8, 2));
  std::printf("%d\n", narrow(3000));
  long filled[100] = {};
  fill(filled, filled + 100, 1);
  unsigned long checksum = 0;
  for (const long value : filled) checksum = mix(checksum, static_cast<unsigned long>(value));
  std::printf("%lu\n", checksum);
  std::printf("%ld\n", known(0, 9, 3));
  long given = 0;
  std::printf("%ld\n", whose(&given, 12, 3) + whose(&given, 9, 40) + given);
  std::printf("%ld\n", power<long>(5, 1'000'000, 1));
  return 0;
}
