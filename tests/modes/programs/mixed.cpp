// What must work in every mode of the compiler, in one program: spawns of functions, methods,
// lambdas and blocks, templates from a header, classes that are counted, exceptions (where there
// are any), thread_local, errno, arrays, over-aligned locals, alloca, floating point. Prints the
// same as its serial elision. C++17 and later; part.c goes with it.

#include "keywords.h"

#include <alloca.h>
#include <stdint.h>

#include <utility>
#include <vector>

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace {

class Counted {
 public:
  explicit Counted(long value) : value_(value) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
  Counted(const Counted &other) : value_(other.value_) {
    __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
  }
  Counted(Counted &&other) noexcept : value_(std::exchange(other.value_, 0)) {
    __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
  }
  Counted &operator=(const Counted &) = default;
  ~Counted() {
    value_ = -1;
    __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
  }
  long value() const { return value_; }
  static long alive;

 private:
  long value_;
};
long Counted::alive = 0;

NOINLINE Counted twice(const Counted &counted) { return Counted(2 * counted.value()); }
NOINLINE Counted sum(Counted a, Counted b) { return Counted(a.value() + b.value()); }

long classes() {
  Counted a = cilk_spawn twice(Counted(20));
  Counted b(1);
  b = cilk_spawn sum(Counted(5), Counted(6));
  Counted c(100);
  const long fixed[4] = {cilk_spawn Counted(7).value(), 8};  // the rest is zero
  cilk_sync;
  return a.value() + b.value() + c.value() + fixed[0] + fixed[1] + fixed[3];
}

struct Square : Shape {
  explicit Square(long side) : side_(side) {}
  NOINLINE long area() const override { return side_ * side_; }
  long side_;
};
struct Rectangle : Square {
  Rectangle(long side, long other) : Square(side), other_(other) {}
  NOINLINE long area() const override { return side_ * other_; }
  long other_;
};

long virtuals() {
  Square square(7);
  Rectangle rectangle(3, 5);
  const Shape *shapes[2] = {&square, &rectangle};
  long areas[2] = {0, 0};
  for (int i = 0; i < 2; ++i) areas[i] = cilk_spawn shapes[i]->twice();
  cilk_sync;
  return areas[0] * 1000 + areas[1];
}

long lambdas(int n) {
  long total = 0, other = 0;
  auto add = [&total](long value) { total += value; };
  cilk_spawn add(n);
  cilk_spawn [&other](int value) { other = value * 3; }(n);
  cilk_sync;
  return total + other + generic_sum(n, [](long value) { return value * value; });
}

thread_local long mine = 0;
NOINLINE long *address_of_mine() { return &mine; }
NOINLINE void change_errno(int value) { errno = value; }

// The thread may change at the spawn and at the sync; what is written and read after them is the
// present thread's.
int thread_locals(int n) {
  int right = 0;
  for (int i = 0; i < n; ++i) {
    mine = i;
    right += *address_of_mine() == i;
    cilk_spawn change_errno(i + 1);
    mine = 2 * i;
    right += *address_of_mine() == 2 * i;
    errno = 7;
    right += errno == 7;
    cilk_sync;
    mine = 3 * i;
    right += *address_of_mine() == 3 * i;
  }
  return right;
}

struct alignas(64) Wide {
  long values[8];
};
NOINLINE void fill(Wide &wide, long start) {
  for (int i = 0; i < 8; ++i) wide.values[i] = start + i;
}

long aligned(int n) {
  long total = 0;
  Wide one = {}, two = {};
  for (int i = 0; i < n; ++i) {
    cilk_spawn fill(one, i);
    fill(two, i * 10);
    cilk_sync;
    total +=
        one.values[7] + two.values[3] + static_cast<long>(reinterpret_cast<uintptr_t>(&one) % 64);
  }
  return total;
}

NOINLINE void put(int *block, int value) { *block = value; }

long dynamic(int n) {
  int *blocks[16];
  for (int i = 0; i < n; ++i) {
    blocks[i] = static_cast<int *>(alloca(sizeof(int) * static_cast<size_t>(i + 1)));
    cilk_spawn put(&blocks[i][i], i * i);
  }
  cilk_sync;
  long total = 0;
  for (int i = 0; i < n; ++i) total += blocks[i][i];
  return total;
}

// Every partial sum is a multiple of 1/4 and exact, in whatever order it is made.
double halves(const double *values, int n) {
  if (n <= 4) {
    double total = 0;
    for (int i = 0; i < n; ++i) total += values[i] * 0.5;
    return total;
  }
  double low = cilk_spawn halves(values, n / 2);
  double high = halves(values + n / 2, n - n / 2);
  cilk_sync;
  return low + high;
}

#if defined(__cpp_exceptions)
NOINLINE long thrower(long value) {
  Counted local(value);
  if (value % 2) throw std::runtime_error("odd");
  return value;
}

long exceptions(int n) {
  long caught = 0;
  for (int i = 0; i < n; ++i) {
    try {
      Counted guard(i);
      long x = cilk_spawn thrower(i);
      Counted other(i);
      cilk_sync;
      caught += 100 + x;
    } catch (const std::runtime_error &error) {
      caught += static_cast<long>(strlen(error.what()));
    }
    try {
      long x = cilk_spawn thrower(2 * i);
      long y = thrower(i);  // the continuation throws
      cilk_sync;
      caught += x + y;
    } catch (...) {
      caught += 1000;
    }
  }
  return caught;
}
#else
long exceptions(int n) {  // the same, computed
  long caught = 0;
  for (int i = 0; i < n; ++i) caught += i % 2 ? 3 + 1000 : 100 + i + 2 * i + i;
  return caught;
}
#endif

}  // namespace

int main() {
  printf("inline %ld %ld\n", inline_fib(11), inline_sum(64));
  std::vector<long> range(100, 3);
  printf("loop %ld %ld %ld\n", inline_loop(300), inline_loop(7), template_loop(range));
  printf("part %ld %d\n", part_fib(10), part_thread_local_is_mine(20));
  printf("templates %ld %d\n", template_fib(9L), template_fib(10));
  printf("classes %ld\n", classes());
  printf("virtuals %ld\n", virtuals());
  printf("lambdas %ld\n", lambdas(9));
  printf("thread_locals %d\n", thread_locals(20));
  printf("aligned %ld\n", aligned(10));
  printf("dynamic %ld\n", dynamic(16));
  double values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  printf("halves %g\n", halves(values, 64));
  printf("exceptions %ld\n", exceptions(8));
  printf("alive %ld\n", Counted::alive);
  return 0;
}
