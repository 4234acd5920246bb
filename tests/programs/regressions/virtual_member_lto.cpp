// Of a pointer to a virtual member function the function is a phi, from the table or not; its table
// was read by a checked load, and the slow clone called it in the place of the helper.
//
// matrix: flags -flto -fwhole-program-vtables -fvisibility=hidden -fvirtual-function-elimination

#include <cilk/cilk.h>

#include <cstdio>

#include "../support/check.h"

struct Base {
  virtual long work(long n) { return n; }
};

struct Only : Base {
  long work(long n) override { return n * 3; }
};

NOINLINE static long other(long n) { return n + 1; }

int main() {
  Only only;
  Base *base = &only;
  long (Base::*member)(long) = &Base::work;
  const long a = cilk_spawn other(7);
  const long b = cilk_spawn(base->*member)(5);
  const long c = other(9);
  cilk_sync;
  std::printf("virtual member: %ld %ld %ld\n", a, b, c);
}
