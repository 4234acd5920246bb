// Two cilk_scopes whose cleanups end alike, and an exception of the parent in the second: the
// optimizer merged both syncs into one, whose region was a select of two numbers, and the splitter
// read garbage as the number. Objects leaked, or the program crashed.

#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>

#include "../support/check.h"

namespace {

std::atomic<long> alive{0};

struct Object {
  NOINLINE explicit Object(long n) : value(n) { ++alive; }
  NOINLINE Object(const Object &other) : value(other.value) { ++alive; }
  NOINLINE ~Object() { --alive; }
  long value;
};

NOINLINE long not_null(long n) {
  linger();
  if (n == 0) throw 1;
  return n;
}

NOINLINE Object made(const long *p) {
  linger();
  return Object(p[0]);
}

NOINLINE long in_two_scopes(long n) {
  long sum = 0;
  cilk_scope {
    const long first = cilk_spawn not_null(1);
    sum += n;
    cilk_sync;
    sum += first;
  }
  cilk_scope {
    {
      Object second{cilk_spawn made(&sum)};
      const long w = not_null(n - 3);
      cilk_sync;
      sum += w + second.value;
    }
    sum += n;
  }
  return sum;
}

NOINLINE long with_more_to_destroy(long n) {
  long sum = 0;
  cilk_scope {
    const long first = cilk_spawn not_null(n);
    sum += n;
    cilk_sync;
    sum += first;
  }
  cilk_scope {
    long a[1];
    a[0] = n;
    Object big(n);
    for (long i = 0; i != 2; ++i) {
      long b[4] = {n, n, n, n};
      Object second{cilk_spawn made(b)};
      const long w = not_null(i + n - 3);
      cilk_sync;
      sum += w + second.value + b[1];
    }
    cilk_sync;
    sum += big.value + a[0];
  }
  cilk_sync;
  return sum;
}

template <class F>
void attempt(const char *name, F f, long n) {
  try {
    std::printf("%s(%ld) = %ld\n", name, n, f(n));
  } catch (int) {
    std::printf("%s(%ld) threw\n", name, n);
  }
  std::printf("alive %ld\n", alive.load());
}

}  // namespace

int main() {
  for (long n = 2; n <= 5; ++n) {
    attempt("in_two_scopes", in_two_scopes, n);
    attempt("with_more_to_destroy", with_more_to_destroy, n);
  }
}
