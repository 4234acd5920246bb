// Calls whose result is a reference to a hyperobject: spawned, and with a spawn in them. Then the
// view is that of the strand after it.

#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>

#include "../support/check.h"

namespace {

using Sum = cilk::opadd_reducer<long>;

NOINLINE void nothing() { linger(); }

NOINLINE Sum &same(Sum &one) { return one; }
NOINLINE Sum &spawning(Sum &one) {
  cilk_spawn linger();
  cilk_spawn nothing();
  cilk_sync;
  return one;
}
struct Finds {
  Sum *one;
  Sum &operator*() const { return spawning(*one); }
};

/// Who finds the hyperobject may leave the strand: the view is that of the strand after it.
NOINLINE void of_a_spawner() {
  Sum here = 1;
  const Finds finds{__builtin_addressof(here)};
  for (int i = 0; i < 20; ++i) {
    cilk_spawn nothing();
    spawning(here) += 1;
    cilk_spawn nothing();
    *finds += 1;
    cilk_sync;
  }
  CHECK_EQ(here, 41);
}

NOINLINE void of_a_call() {
  Sum here = 1;
  Sum &one = cilk_spawn same(here);
  cilk_sync;
  one += 1;
  long value = cilk_spawn same(here);
  cilk_sync;
  CHECK_EQ(value, 2);
  value = cilk_spawn same(here);
  cilk_spawn same(here);
  cilk_sync;
  CHECK_EQ(value + here, 4);
}

}  // namespace

int main() {
  of_a_call();
  cilk_spawn nothing();
  of_a_call();
  of_a_spawner();
  cilk_sync;
  puts("right");
}
