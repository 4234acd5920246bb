// A jump forward, out of a scope with a destructor, in the body of a cilk_for, in a function that
// returns early past a destructor: the body seemed to reach the function's return, and the outliner
// made an invalid function of it.

#include <cilk/cilk.h>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long id(long n) {
  linger();
  return n;
}

NOINLINE float loop(long n) {
  Counted outer(5);
  if (n == 100) return 1;
  long sums[8] = {};
  cilk_for (long i = 0; i < 8; i++) {
    long k = i;
  again: {
    --k;
    Counted counted(k);
    if (id(k) % 3 == 1) goto done;
    sums[i] += counted.value();
  }
    if (k > 0) goto again;
  done:
    sums[i] += id(k);
  }
  long sum = 0;
  for (long s : sums) sum += s;
  return static_cast<float>(sum);
}

NOINLINE float block(long n) {
  Counted outer(5);
  if (n == 100) return 1;
  long sum = 0;
  cilk_spawn {
    for (long i = 0; i < 8; i++) {
      {
        Counted counted(i);
        if (id(i) % 3 == 1) goto done;
        sum += counted.value();
      }
      sum += id(n);
    }
  done:
    sum += id(n);
  }
  float half = static_cast<float>(id(n)) / 2;
  cilk_sync;
  return half + static_cast<float>(sum);
}

}  // namespace

int main() {
  for (long n = 98; n < 102; n++) printf("%g %g\n", loop(n), block(n));
  CHECK_EQ(Counted::live(), 0);
  return 0;
}
