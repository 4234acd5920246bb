// Exceptions out of a loop: the serially first one arrives, only at the handler around the loop.
// Locals die once, and that handler works in its function as usual.

#include <cilk/cilk.h>

#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

#pragma clang diagnostic ignored "-Wunknown-pragmas"  // the serial elision does not know grains

namespace {

struct Failure {
  int number;
};

NOINLINE void fail_if(bool fails, int number) {
  if (fails) throw Failure{number};
}

NOINLINE int first_of_several(int n, int from, int every) {
  int caught = -1;
  const Counted around(1);
  try {
    const Counted inside(2);
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; ++i) {
      const Counted mine(i);
      fail_if(i >= from && (i - from) % every == 0, i);
    }
  } catch (const Failure &failure) {
    caught = failure.number;
  }
  return caught * 10 + static_cast<int>(around.value());
}

// A handler in the body belongs to the leaf. An exception that it does not catch goes on to the
// handler around the loop.
NOINLINE int handler_in_body(int n) {
  std::vector<int> kept(static_cast<std::size_t>(n));
  try {
    cilk_for (int i = 0; i < n; ++i) {
      try {
        if (i == n - 1) throw 5L;
        fail_if(i % 2 == 1, i);
        kept[static_cast<std::size_t>(i)] = 1;
      } catch (const Failure &failure) {
        kept[static_cast<std::size_t>(i)] = failure.number;
      }
    }
  } catch (long value) {
    kept[0] = static_cast<int>(value);
  }
  int sum = 0;
  for (const int value : kept) sum += value;
  return sum;
}

// Out of an inner loop, through the outer one's body, with children of the body in flight.
NOINLINE int through_two(int n) {
  try {
    cilk_for (int i = 0; i < n; ++i) {
      const Counted mine(i);
      cilk_spawn linger();
      cilk_for (int j = 0; j < 10; ++j) {
        const Counted deep(j);
        fail_if(i * 10 + j >= 77, i * 10 + j);
      }
      cilk_sync;
    }
  } catch (const Failure &failure) {
    return failure.number;
  }
  return -1;
}

// Unwinds through the function of the loop, which has cleanups and no handler.
NOINLINE void no_handler(int n) {
  const Counted local(3);
  cilk_for (int i = 0; i < n; ++i) fail_if(i == n / 3, i);
  CHECK(n < 3);
}

}  // namespace

int main() {
  printf("%d %d %d\n", first_of_several(100, 50, 1), first_of_several(100, 0, 7),
         first_of_several(100, 100, 1));
  printf("%d\n", handler_in_body(50));
  printf("%d %d\n", through_two(20), through_two(5));
  try {
    no_handler(90);
  } catch (const Failure &failure) {
    printf("%d\n", failure.number);
  }
  CHECK_EQ(Counted::live(), 0);
}
