// An argument whose later sibling may throw lives on the heap. The code that freed it on the
// parent's exception also ran for exceptions after the spawn, when the helper had freed it already.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

struct Object {
  explicit Object(long n) : value(n) {}
  Object(const Object &) = delete;
  ~Object() { value = -1; }
  long value;
};

NOINLINE long unless_third(long n) {
  if (n % 3 == 0) throw n;
  return n;
}
NOINLINE long sum(const Object &object, long n) {
  linger();
  return object.value + n;
}

NOINLINE long first_of(long n) {
  long sums[2] = {0, 0};
  int k = 0;
  try {
    sums[k++] = cilk_spawn sum(Object(n), unless_third(n + 1));
    unless_third(n);
    cilk_sync;
    return sums[0];
  } catch (long thrown) {
    return -thrown;
  }
}

// The exception comes before the object is made.
NOINLINE long made_late(long n) {
  long sums[2] = {0, 0};
  int k = 0;
  try {
    sums[k++] = cilk_spawn sum(Object(unless_third(n)), unless_third(n + 1));
    unless_third(n + 2);
    cilk_sync;
    return sums[0];
  } catch (long thrown) {
    return -thrown;
  }
}

}  // namespace

int main() {
  for (long i = 0; i < 9; ++i) printf("%ld %ld\n", first_of(i), made_late(i));
  return 0;
}
