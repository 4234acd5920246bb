// A class local of a spawned block, compiled with -g and optimization: the helper's instructions
// kept what tied them to debug records of the parent, and the compiler crashed.
// matrix: flags -g

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

struct Object {
  NOINLINE explicit Object(long n) : value(n), self(this) {}
  Object(const Object &) = delete;
  ~Object() {
    CHECK(self == this);
    self = nullptr;
  }
  long value;
  const Object *self;
};

NOINLINE Object make(long n) { return Object(n); }

NOINLINE void fill(long *values, long n) {
  for (long i = 0; i < n; ++i) {
    long *place = values + i;
    cilk_spawn [i, place] {
      Object object = make(i);
      *place = object.value;
    }();
  }
}

NOINLINE long pair_of(long n) {
  long first = 0;
  cilk_spawn {
    Object object = make(n);
    first = object.value;
  }
  Object second = make(n + 1);
  cilk_sync;
  return first * 100 + second.value;
}

}  // namespace

int main() {
  long values[8];
  fill(values, 8);
  for (long value : values) printf("%ld ", value);
  printf("%ld\n", pair_of(3));
  return 0;
}
