/* Children and calls that leave anything in r10, where the push or pop after them expects the
 * deque's bottom (docs/decisions/0020): what they find there, which is bottom where the prediction
 * is right, and that moved by some slots, halves of it, and numbers. */

#include <cilk/cilk.h>

#include <stdio.h>

#include "../support/check.h"

static NOINLINE void leave(long way) {
#if defined(__x86_64__)
  switch (way % 9) {
    case 0:
      break;
    case 1:
      __asm__ volatile("addq $8, %%r10" ::: "r10");
      break;
    case 2:
      __asm__ volatile("subq $8, %%r10" ::: "r10");
      break;
    case 3:
      __asm__ volatile("addq $16, %%r10" ::: "r10");
      break;
    case 4:
      __asm__ volatile("incq %%r10" ::: "r10");
      break;
    case 5:
      __asm__ volatile("btcq $32, %%r10" ::: "r10");
      break; /* right in its low half */
    case 6:
      __asm__ volatile("movl %%r10d, %%r10d" ::: "r10");
      break;
    case 7:
      __asm__ volatile("xorl %%r10d, %%r10d" ::: "r10");
      break;
    default:
      __asm__ volatile("movq $-1, %%r10" ::: "r10");
      break;
  }
#else
  (void)way;
#endif
}

/* Something after the entry, in the child, after the child, and before the return. */
static NOINLINE long tree(long n, long way) {
  leave(way);
  if (n < 2) return n;
  const long x = cilk_spawn tree(n - 1, way + 1);
  leave(way + 2);
  const long y = tree(n - 2, way + 4);
  cilk_sync;
  leave(way / 3);
  return x + y;
}

static NOINLINE void child(long i, long *sum) {
  __atomic_fetch_add(sum, i, __ATOMIC_RELAXED);
  leave(i);
}

/* One child after the other, and what is in the register goes from turn to turn. */
static NOINLINE long loop(long n, long ways) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    cilk_spawn child(i, &sum);
    if (i % 3 == 0) leave(ways + i);
  }
  cilk_sync;
  return sum;
}

int main(void) {
  long sum = 0;
  for (long way = 0; way < 9; ++way) {
    CHECK(tree(12, way) == 144);
    sum += loop(200, way);
  }
  printf("%ld\n", sum);
  return 0;
}
