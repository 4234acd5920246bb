// A variable that is returned, and so lives in the return slot; its child throws before it
// constructs the variable. It was destroyed when the sync raised the exception. An object that is
// returned later in its place must be destroyed if another exception comes.

#include <cilk/cilk.h>

#include "../support/check.h"

#include <atomic>

namespace {

std::atomic<long> alive{0};

struct Object {
  explicit Object(long n) : value(n), self(this) { ++alive; }
  Object(const Object &other) : value(other.value), self(this) { ++alive; }
  ~Object() {
    CHECK(self == this);
    self = nullptr;
    --alive;
  }
  long value;
  const Object *self;
};

NOINLINE Object make_if(bool fails, long n) {
  linger();
  if (fails) throw n;
  return Object(n);
}

NOINLINE void fail_if(bool fails, long n) {
  if (fails) throw n;
}

NOINLINE long checked(long n) {
  fail_if(n % 8 == 7, 70);
  return n;
}

NOINLINE Object returned(long n) {
  Object before(1);
  Object result = cilk_spawn make_if(n & 1, checked(n));
  Object after(2);
  fail_if(n & 2, 20);
  cilk_sync;
  fail_if(n & 4, 40);
  return result;
}

/// One slot, several objects one after the other.
NOINLINE Object one_of_several(long n) {
  for (long i = n & 3; i >= 0; --i) {
    try {
      Object result = cilk_spawn make_if(i > 1, checked(n));
      Object after(i);
      fail_if(i == 1, i);
      cilk_sync;
      if (i == 0 && n & 4) return result;
    } catch (long caught) {
      if (caught == 70) return Object(caught);
    }
  }
  {
    Object other = cilk_spawn make_if(n & 1, n);
    Object after(n);
    cilk_sync;
    if (n & 2) return other;
  }
  cilk_spawn fail_if(n & 4, n);
  return Object(60);
}

template <class F>
void show(F function, long n) {
  try {
    printf("%ld ", function(n).value);
  } catch (long thrown) {
    printf("threw %ld ", thrown);
  }
}

}  // namespace

int main() {
  for (long n = 0; n < 16; ++n) {
    show(returned, n);
    show(one_of_several, n);
    printf("alive %ld\n", alive.load());
  }
  return 0;
}
