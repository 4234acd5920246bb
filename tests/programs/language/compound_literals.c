/* Compound literals that a spawned statement makes: they live as long as the block around it, so
 * what the child returns of them is there after the sync; in loops too. */

#include <cilk/cilk.h>

#include "../support/check.h"

struct pair {
  long a, b;
};
static NOINLINE struct pair *same(struct pair *p) {
  linger();
  return p;
}
static NOINLINE long *first(long *p) {
  linger();
  return p;
}
static NOINLINE long work(long n) {
  volatile long room[200];
  for (int i = 0; i < 200; ++i) room[i] = n;
  linger();
  return room[n % 200];
}

static NOINLINE long variables(long n) {
  struct pair *p = cilk_spawn same(&(struct pair){n, 2});
  struct pair *const q = cilk_spawn same(&(struct pair){n + 1, 3});
  long *array = cilk_spawn first((long[]){n, 5, n + 2}), *member;
  member = cilk_spawn first(&(struct pair){n, 7}.b);
  long x = work(n);
  cilk_sync;
  x += work(n + 1);
  return x + p->a * 3 + p->b * 5 + q->a * 7 + q->b * 11 + array[1] * 13 + array[2] * 17 +
         *member * 19;
}

/* The whole statement is the child. */
static NOINLINE long statements(long n) {
  struct pair *p = 0, *q = 0;
  cilk_spawn p = same(&(struct pair){n, 2});
  cilk_spawn(q = same(&(struct pair){n, 3}));
  long x = work(n);
  cilk_sync;
  x += work(n + 1);
  return x + p->a * 3 + p->b * 5 + q->a * 7 + q->b;
}

static NOINLINE long conditional(long n) {
  struct pair other = {4, 5};
  struct pair *p[2] = {cilk_spawn same(n % 2 ? &(struct pair){n, 2} : &other),
                       cilk_spawn same(n % 3 ? &other : &(struct pair){n, 6})};
  long x = work(n);
  cilk_sync;
  x += work(n + 1);
  return x + p[0]->a * 3 + p[0]->b * 5 + p[1]->a * 7 + p[1]->b * 11;
}

/* Each iteration is done before the next. */
static NOINLINE long synced(long n) {
  long x = 0;
  for (long i = 0; i < n; ++i) {
    struct pair *p = cilk_spawn same(&(struct pair){i, n});
    struct pair *q = cilk_spawn same(&(struct pair){n, i});
    x += work(i);
    cilk_sync;
    x = x * 3 + work(n) + p->a + p->b * 5 + q->a * 7 + q->b * 11;
  }
  return x;
}
static NOINLINE long scoped(long n) {
  long x = 0;
  for (long i = 0; i < n; ++i) cilk_scope {
      struct pair *p = cilk_spawn same(&(struct pair){i, n});
      struct pair *q = cilk_spawn same(&(struct pair){n, i});
      x += work(i);
      cilk_sync;
      x = x * 3 + work(n) + p->a + p->b * 5 + q->a * 7 + q->b * 11;
    }
  return x;
}
static NOINLINE void in_loop(long n, long *out) {
  cilk_for (long i = 0; i < n; ++i) {
    struct pair *p = cilk_spawn same(&(struct pair){i, n});
    struct pair *q = cilk_spawn same(&(struct pair){n, i});
    const long x = work(i);
    cilk_sync;
    out[i] = x + work(n) + p->a + p->b * 5 + q->a * 7 + q->b * 11;
  }
}

/* The next iteration begins while this child runs: each has its own. */
static NOINLINE void keep(long *to, const struct pair *from) {
  linger();
  *to = from->a * 3 + from->b;
}
static NOINLINE long unsynced(long n) {
  long out[16], x = 0;
  for (long i = 0; i < 16; ++i) cilk_spawn keep(&out[i], &(struct pair){i, n});
  cilk_sync;
  for (long i = 0; i < 16; ++i) x = x * 3 + out[i];
  return x;
}

int main(void) {
  for (long n = 0; n < 6; ++n) {
    long out[8] = {0}, x = 0;
    in_loop(n, out);
    for (long i = 0; i < n; ++i) x = x * 3 + out[i];
    printf("%ld %ld %ld %ld %ld %ld %ld\n", variables(n), statements(n), conditional(n), synced(n),
           scoped(n), x, unsynced(n));
  }
  return 0;
}
