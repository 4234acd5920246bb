/* The same for C11, C17 and C23: functions, results of every kind, structures, variable length
 * arrays, loops. part.c goes with it. */

#include "keywords.h"

struct pair {
  long first, second;
};
struct large {
  long values[12];
};

static NOINLINE struct pair make_pair(long a, long b) {
  struct pair result = {a, b};
  return result;
}
static NOINLINE struct large make_large(long start) {
  struct large result;
  for (int i = 0; i < 12; ++i) result.values[i] = start + i;
  return result;
}
static NOINLINE double half(double value) { return value / 2; }
static NOINLINE _Bool is_odd(int value) { return value & 1; }

static long results(int n) {
  struct pair pairs[8];
  struct large large = {{0}};
  double halves[8];
  _Bool odd[8];
  for (int i = 0; i < n; ++i) {
    pairs[i] = cilk_spawn make_pair(i, 2 * i);
    halves[i] = cilk_spawn half(i);
    odd[i] = cilk_spawn is_odd(i);
  }
  large = cilk_spawn make_large(n);
  const struct pair fixed[4] = {cilk_spawn make_pair(n, 1), make_pair(1, 2)}; /* the rest is zero */
  cilk_sync;
  long total = large.values[11] + fixed[0].second + fixed[1].second + fixed[3].second;
  for (int i = 0; i < n; ++i) total += pairs[i].second + (long)(2 * halves[i]) + odd[i];
  return total;
}

static long vla(int n) {
  int values[n], *end = values + n;
  for (int i = 0; i < n; i += 4) cilk_spawn inline_fill(values + i, 4, i * i);
  cilk_sync;
  long total = 0;
  for (int *value = values; value < end; ++value) total += *value;
  return total;
}

static long blocks(int n) {
  long low = 0, high = 0;
  cilk_spawn {
    for (int i = 0; i < n; ++i) low += i;
  }
  for (int i = 0; i < n; ++i) high += 2 * i;
  cilk_sync;
  return low * 1000 + high;
}

/* A child with a child, and locals of its own in both. */
static long nested(int n) {
  long total = 0;
  cilk_spawn {
    long inner = 0;
    {
      long deep = 0;
      cilk_spawn {
        long deepest = inline_fib(n);
        deep = deepest;
      }
      inner = part_fib(n);
      cilk_sync;
      inner += deep;
    }
    total = inner;
  }
  cilk_sync;
  return total;
}

/* A computed switch and a loop around spawns. */
static long flow(int n) {
  long slots[4] = {0};
  for (int i = 0; i < n; ++i) {
    switch (i % 4) {
      case 0:
        slots[0] += i;
        break;
      case 1:
        slots[1] = cilk_spawn inline_fib(i);
        break;
      case 2:
        slots[2] = cilk_spawn part_fib(i);
        break;
      default:
        cilk_sync;
        slots[3] += slots[1] + slots[2];
    }
  }
  cilk_sync;
  return slots[0] + slots[1] + slots[2] + slots[3];
}

int main(void) {
  printf("inline %ld %ld\n", inline_fib(11), inline_sum(64));
  printf("loop %ld %ld\n", inline_loop(300), inline_loop(7));
  printf("part %ld %d\n", part_fib(10), part_thread_local_is_mine(20));
  printf("results %ld\n", results(8));
  printf("vla %ld\n", vla(32));
  printf("blocks %ld\n", blocks(10));
  printf("nested %ld\n", nested(8));
  printf("flow %ld\n", flow(12));
  return 0;
}
