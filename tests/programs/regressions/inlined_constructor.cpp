// The constructor of a temporary argument throws while the continuation runs on a thief. A cleanup
// that the optimizer has inlined destroys the constructed part, in the clone that continues with
// the exception. It must be the same object there.

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"

namespace {

std::atomic<long> alive{0};

struct Member {
  NOINLINE Member() : value(new long(7)), self(this) { ++alive; }
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;
  NOINLINE ~Member() {
    CHECK(self == this);
    CHECK_EQ(*value, 7);
    --alive;
    delete value;
  }
  long *value;
  Member *self;
};

struct Argument {
  explicit Argument(long n) : n(n) {
    if (n % 4 == 3) throw n;
    Member local;
  }
  Member first, second;
  long n;
};

NOINLINE long give(long n) {
  linger();
  return n;
}
NOINLINE long sum(const Argument &a, const Argument &b = Argument(1)) {
  linger();
  CHECK(a.first.self == &a.first);
  return a.n + b.n;
}

NOINLINE long attempt(long n) {
  long result = 0;
  try {
    long a = cilk_spawn give(n);
    long b = cilk_spawn sum(Argument(n + 1));
    for (int i = 0; i < 3; i++) cilk_spawn sum(Argument(n + i), Argument(4 * n));
    cilk_sync;
    result = a + b;
  } catch (long thrown) {
    result = 1000 * thrown;
  }
  return result;
}

}  // namespace

int main() {
  long checksum = 0;
  for (long n = 0; n < 16; n++) {
    checksum = checksum * 3 + attempt(n);
    CHECK_EQ(alive.load(), 0);
  }
  printf("%ld\n", checksum);
  return 0;
}
