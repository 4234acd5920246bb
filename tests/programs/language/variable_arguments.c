/* Variadic functions that spawn: va_start before and after a spawn, in a spawned block, lists that
 * children read, va_copy. */

#include <cilk/cilk.h>

#include <stdarg.h>

#include "../support/check.h"

NOINLINE static long give(long n) {
  linger();
  return n;
}

NOINLINE static long sum(int n, va_list list) {
  long total = 0;
  linger();
  while (n-- > 0) total += va_arg(list, int);
  return total;
}

/* A child reads the list, and the continuation a copy of it. */
static long before(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  long child = cilk_spawn sum(n, list);
  long weighted = 0;
  for (int i = 1; i <= n; i++) weighted += i * va_arg(copy, int);
  cilk_sync;
  va_end(copy);
  va_end(list);
  return child * 1000 + weighted;
}

static long after(int n, ...) {
  va_list list;
  long child = cilk_spawn give(n);
  va_start(list, n);
  long own = sum(n, list);
  va_end(list);
  cilk_sync;
  return child * 1000 + own;
}

/* Also after the sync, and twice; more arguments than there are registers, of both kinds. */
static double twice(int n, ...) {
  va_list list;
  long child = 0;
  double total = 0;
  for (int round = 0; round < 2; round++) {
    child = cilk_spawn give(n + child);
    va_start(list, n);
    for (int i = 0; i < n; i++)
      total = total * 2 + (i % 2 ? va_arg(list, double) : (double)va_arg(list, long));
    va_end(list);
    cilk_sync;
  }
  return total + (double)child;
}

/* The list crosses spawns, half read. */
static long across(int n, ...) {
  va_list list;
  va_start(list, n);
  long total = 0, child = 0;
  for (int i = 0; i < n; i++) {
    long element = va_arg(list, int);
    child = cilk_spawn give(element);
    total += (long)va_arg(list, double);
    cilk_sync;
    total += child;
  }
  va_end(list);
  return total;
}

static long in_a_block(int n, ...) {
  long total = 0;
  cilk_spawn {
    va_list list;
    va_start(list, n);
    total = cilk_spawn sum(n, list);
    cilk_sync;
    va_end(list);
  }
  long own = give(1);
  cilk_sync;
  return total + own;
}

int main(void) {
  printf("before: %ld\n", before(3, 1, 2, 3));
  printf("after: %ld\n", after(4, 4, 5, 6, 7));
  printf("twice: %.1f\n", twice(12, 1L, .5, 2L, 1.5, 3L, 2.5, 4L, 3.5, 5L, 4.5, 6L, 5.5));
  printf("across: %ld\n", across(3, 1, 1.0, 2, 2.0, 3, 3.0));
  printf("in a block: %ld\n", in_a_block(5, 1, 2, 3, 4, 5));
  return 0;
}
