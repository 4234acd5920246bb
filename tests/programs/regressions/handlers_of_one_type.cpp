// Handlers of one type inside and outside of a spawned block or a nested region. An exception with
// only the outer handler around it must reach that handler. A landing pad inside must not stop it
// for another handler of the block. (Pads kept every clause whose type the block tested anywhere.
// So the exception was stopped, raised on without handlers, and skipped spawns.)

#include <cilk/cilk.h>

#include "../support/check.h"
#include "../support/counted.h"
#include "../support/failure.h"

namespace {

long block(int which) {
  long inside = 0;
  try {
    cilk_spawn {
      try {
        inside += fail_if(which & 1, 1);
      } catch (const Failure &failure) {
        inside += 10 * failure.number;
      }
      Counted counted(2);
      fail_if(which & 2, 3);
    }
    linger();
    cilk_sync;
  } catch (const Failure &failure) {
    return failure.number * 100 + inside;
  }
  return inside;
}

long region(int which) {
  long inside = 0;
  try {
    cilk_spawn fail_if(which & 4, 5);
    cilk_scope {
      cilk_spawn fail_if(false, 1);
      try {
        cilk_spawn fail_if(which & 1, 1);
        linger();
      } catch (const Failure &failure) {
        inside += 10 * failure.number;
      }
      Counted counted(2);
      fail_if(which & 2, 3);
    }
  } catch (const Failure &failure) {
    return failure.number * 100;
  }
  return inside;
}

// The end of the block is reached through its own handler alone.
long only_by_the_handler() {
  long result = 0;
  cilk_spawn {
    try {
      throw Failure{4};
    } catch (const Failure &failure) {
      result = failure.number;
    }
  }
  linger();
  cilk_sync;
  return result;
}

// In a loop the statement's own pads can be reached from its handlers too.
long in_a_loop() {
  long caught = 0;
  for (int i = 0; i < 4; ++i) {
    try {
      cilk_spawn {
        Counted counted(i);
        fail_if(i % 2 == 1, i);
      }
      linger();
    } catch (const Failure &failure) {
      caught = caught * 10 + failure.number;
    }
  }
  return caught;
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    BalanceCheck balance;
    for (int which = 0; which < 4; ++which) printf("%ld ", block(which));
    for (int which = 0; which < 8; ++which) printf("%ld ", region(which));
    printf("%ld %ld\n", only_by_the_handler(), in_a_loop());
  }
  return 0;
}
