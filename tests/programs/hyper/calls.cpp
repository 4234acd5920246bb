// Spawned calls whose result is a reference to a hyperobject, which were refused.

#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>

#include "../support/check.h"

namespace {

using Sum = cilk::opadd_reducer<long>;

NOINLINE void nothing() { linger(); }

NOINLINE Sum &same(Sum &one) { return one; }
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
  cilk_sync;
  puts("right");
}
