// A spawned lambda that captures two objects by copy. If the second copy throws, the parent
// destroys the first. It does so through the closure, which the compiler overlooked, so it refused
// the program.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

long alive;

struct Object {
  explicit Object(long n) : value(n) { count(1); }
  Object(const Object &other) : value(other.value) {
    if (value == 3) throw value;
    count(1);
  }
  Object &operator=(const Object &) = delete;
  ~Object() { count(-1); }
  static void count(long n) { __atomic_fetch_add(&alive, n, __ATOMIC_RELAXED); }
  long value;
};

NOINLINE void add(long *sum, long n) {
  linger();
  *sum += n;
}

NOINLINE long sum_of(const Object &a, const Object &b) {
  long sum = 0, other = 0;
  cilk_spawn add(&other, 1);
  cilk_spawn [a, b, &sum] { add(&sum, a.value + b.value); }();
  linger();
  cilk_sync;
  return sum + other;
}

}  // namespace

int main() {
  for (long i = 0; i < 6; ++i) {
    Object one(1), other(i);
    try {
      printf("%ld\n", sum_of(one, other));
    } catch (long n) {
      printf("threw %ld\n", n);
    }
  }
  printf("alive %ld\n", alive);
  return 0;
}
