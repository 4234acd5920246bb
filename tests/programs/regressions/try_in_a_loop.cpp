// A handler that continues a loop, in which the statement is spawned again. Its landing pads were
// taken for code after the statement, so the arguments of a child that threw were never destroyed.

#include <cilk/cilk.h>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE Counted make(long n) { return Counted(n); }
NOINLINE long child(Counted counted, long n) {
  linger();
  if (n % 2 == 0) throw n;
  return counted.value();
}

NOINLINE long parent(long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    try {
      long x = cilk_spawn child(make(i), i);
      long y = child(make(10), 1);
      cilk_sync;
      sum += x + y;
    } catch (long n) {
      sum += 100 * n;
    }
  }
  return sum;
}

}  // namespace

int main() {
  for (long count = 0; count < 5; ++count) printf("%ld\n", parent(count));
  CHECK_EQ(Counted::live(), 0);
  return 0;
}
