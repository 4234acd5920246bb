/* Spawned atomic operations, which are no calls in C: the parent computes the operands. Spawned
 * macros that choose a call by type. */

#include <cilk/cilk.h>

#include <stdatomic.h>

#include "../support/check.h"

static NOINLINE long results(long n) {
  atomic_long counter = 5, sum = 0;
  _Atomic(long *) pointer = 0;
  long values[4] = {1, 2, 3, 4};
  long add = n;
  long was = cilk_spawn atomic_fetch_add(&counter, add);
  add = 1000; /* the child has what it was */
  linger();
  cilk_sync;
  long old;
  old = cilk_spawn atomic_exchange(&counter, n * 7);
  cilk_spawn atomic_store(&pointer, values + n % 4);
  for (long i = 0; i < 16;) {
    cilk_spawn atomic_fetch_add_explicit(&sum, i * n, memory_order_relaxed);
    ++i;
  }
  cilk_sync;
  long now = cilk_spawn atomic_load(&counter);
  long expected = n * 7;
  linger();
  cilk_sync;
  _Bool same = cilk_spawn atomic_compare_exchange_strong(&counter, &expected, add + n);
  linger();
  cilk_sync;
  return was + old * 3 + now * 5 + *pointer * 7 + sum * 11 + same * 13 + counter * 17;
}

static NOINLINE long builtins(long n) {
  long plain = n, result = 0;
  long before = cilk_spawn __atomic_fetch_or(&plain, 64, __ATOMIC_SEQ_CST);
  linger();
  cilk_sync;
  cilk_spawn __atomic_load(&plain, &result, __ATOMIC_ACQUIRE);
  linger();
  cilk_sync;
  unsigned short small = (unsigned short)n;
  unsigned after = cilk_spawn __atomic_add_fetch(&small, 3, __ATOMIC_RELAXED);
  int synced = (int)n;
  long first = cilk_spawn __sync_fetch_and_sub(&synced, 2);
  cilk_sync;
  return before + result * 3 + after * 5 + small * 7 + first * 11 + synced * 13;
}

static NOINLINE long whole(long n) {
  if (n % 4 == 0) linger();
  return n * 3;
}
static NOINLINE double half(double x) { return x / 2; }
#define EITHER(x) _Generic((x), long: whole(x), double: half(x))

/* What chooses a call when the program is compiled is no part of it. */
static NOINLINE long choices(long n) {
  long a = cilk_spawn EITHER(n);
  double b = cilk_spawn EITHER(n * 1.0);
  long c;
  c = cilk_spawn __builtin_choose_expr(1, whole(n + 1), half(n));
  long d = cilk_spawn __extension__(whole(n + 2));
  cilk_sync;
  return a + (long)(2 * b) * 5 + c * 7 + d * 11;
}

int main(void) {
  for (long n = 0; n < 8; ++n) printf("%ld %ld %ld\n", results(n), builtins(n), choices(n));
  return 0;
}
