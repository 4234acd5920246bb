// The implicit sync follows the return value. If it raises what a child threw, a class object that
// the return statement has made in the return slot already must be destroyed: serially it is never
// made.

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"

namespace {

std::atomic<long> alive{0};

struct Object {
  explicit Object(long n) : value(n) { ++alive; }
  Object(const Object &) = delete;
  ~Object() { --alive; }
  long value;
};

NOINLINE void fail_if(bool fails, long n) {
  linger();
  if (fails) throw n;
}

NOINLINE Object made_by_return(long n) {
  cilk_spawn fail_if(n % 3 == 0, n);
  return Object(n);
}

NOINLINE Object made_in_try(long n) {
  Object local(n);
  try {
    cilk_spawn fail_if(n % 3 == 1, n);
    if (n & 1) return Object(10 * n);
  } catch (long caught) {
    return Object(100 * caught);
  }
  return Object(local.value + 1);
}

template <class T>
NOINLINE T made_in_template(long n) {
  cilk_spawn fail_if(n % 3 == 2, n);
  return T(n);
}

}  // namespace

int main() {
  for (long i = 0; i < 9; ++i) {
    try {
      printf("%ld ", made_by_return(i).value);
    } catch (long n) {
      printf("threw %ld ", n);
    }
    printf("%ld ", made_in_try(i).value);
    try {
      printf("%ld\n", made_in_template<Object>(i).value);
    } catch (long n) {
      printf("threw %ld\n", n);
    }
  }
  printf("alive %ld\n", alive.load());
  return 0;
}
