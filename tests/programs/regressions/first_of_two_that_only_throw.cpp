// A child and its continuation always throw, so the end of the continuation is dead. The splitter
// analyzed the function again after it had removed syncs. Then the continuation's exception seemed
// to leave no region, and won.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

NOINLINE void fails(int n) {
  linger();
  throw n;
}

int first() {
  try {
    cilk_spawn fails(1);
    fails(2);
    cilk_sync;
  } catch (int n) {
    return n;
  }
  return 0;
}

int first_of_the_function() {
  cilk_spawn fails(1);
  fails(2);
  cilk_sync;
  return 0;
}

int outside() {
  try {
    return first_of_the_function();
  } catch (int n) {
    return n;
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 10; ++i) {
    CHECK_EQ(first(), 1);
    CHECK_EQ(outside(), 1);
  }
  return 0;
}
