/* Ways out of a cilk_scope in C: return, break, continue and goto wait for its children, then
 * leave. Cleanups in the scope and around it read what the children wrote. */

#include <cilk/cilk.h>

#include <complex.h>

#include "../support/check.h"

static NOINLINE long work(long n) {
  linger();
  return n * 3 + 1;
}
static NOINLINE void fill(long *place, long n) {
  linger();
  *place = n;
}

static long seen;
static void look(long *place) { seen = (seen * 10 + *place) % 1000003; }
#define LOOKED_AT __attribute__((cleanup(look)))

static long leave(int way, int outer) {
  long result = 0, beside LOOKED_AT = 0;
  int again = 0;
  for (long round = 0; round < 3; ++round) {
    long place LOOKED_AT = 0;
    if (outer && round == 0) beside = cilk_spawn work(2);
  back:;
    cilk_scope {
      long inner LOOKED_AT = cilk_spawn work(round);
      cilk_spawn fill(&place, round + 1);
      if (way == 1) return result + 5;
      if (way == 2) break;
      if (way == 3) continue;
      if (way == 4) goto out;
      if (way == 5 && again++ == 0) goto back;
      cilk_scope {
        if (way == 6 && round == 1) return result + 6;
        cilk_spawn fill(&result, result + 1);
        if (way == 7) break;
      }
    }
    cilk_sync;
  }
  return result;
out:
  return -result;
}

struct Large {
  long a[9];
};
static NOINLINE struct Large large(long n) {
  cilk_scope {
    struct Large result = {{n, n + 1}};
    cilk_spawn fill(&result.a[8], n);
    result.a[7] = work(n);
    cilk_sync;
    if (n % 2) return result;
    linger();
    cilk_scope {
      struct Large other = result;
      cilk_spawn fill(&result.a[0], 7);
      return other;
    }
  }
}
static NOINLINE double complex number(long n) {
  double complex result = 1;
  long place = 0;
  cilk_scope {
    place = cilk_spawn work(n);
    if (n > 2) return result * (double)n + I;
  }
  return result + (double)place;
}
static NOINLINE void nothing(long n, long *place) {
  cilk_scope {
    cilk_spawn fill(place, n);
    if (n > 2) return;
    linger();
    cilk_scope {
      cilk_spawn fill(place + 1, n);
      return;
    }
  }
}

/* Arrays of run-time size on both sides of the exit; each is released where its block ends. */
static NOINLINE long arrays(int n) {
  long total = 0;
  for (int i = 1; i <= n; ++i) {
    long around[i];
    around[i - 1] = 0;
    cilk_scope {
      long inside[i];
      inside[0] = 0;
      cilk_spawn fill(&around[i - 1], i);
      cilk_spawn fill(&inside[i - 1], i);
      cilk_sync;
      total += inside[i - 1];
      cilk_spawn fill(&inside[0], 5);
      if (i % 3 == 0) continue;
      if (i == 7) break;
    }
    total += around[i - 1];
  }
  return total;
}

static NOINLINE long switches(long n) {
  long x = 0, y = 0;
  switch (n % 3) {
    case 0:
      cilk_scope {
        x = cilk_spawn work(n);
        if (n) break;
      }
      /* fall through */
    case 1:
      cilk_scope {
        y = cilk_spawn work(n);
        goto done;
      }
    default:
      cilk_scope { cilk_spawn fill(&x, n); }
  }
  x += 1000;
done:
  return x * 7 + y;
}

int main(void) {
  for (int way = 0; way < 8; ++way) {
    printf("%d: %ld", way, leave(way, 0));
    printf(" %ld, %ld\n", leave(way, 1), seen);
  }
  for (long n = 0; n < 6; ++n) {
    struct Large l = large(n);
    double complex c = number(n);
    long places[2] = {0, 0};
    nothing(n, places);
    printf("%ld %ld %ld %ld, %g %g, %ld %ld, %ld\n", l.a[0], l.a[1], l.a[7], l.a[8], creal(c),
           cimag(c), places[0], places[1], switches(n));
  }
  printf("%ld\n", arrays(8));
  return 0;
}
