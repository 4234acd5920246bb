/* cilk_for over a variable that is declared before the loop, in C: each iteration has a copy of its
 * own, and afterwards the variable has the value that the serial loop leaves. */

#include <cilk/cilk.h>

#include <stddef.h>
#include <stdint.h>

#include "../support/check.h"

static long seen[64];

static void note(long i, long value) { seen[i & 63] += value; }

static long fold(void) {
  long sum = 0;
  for (int i = 0; i < 64; ++i) {
    sum = (sum * 31 + seen[i]) % 1000003;
    seen[i] = 0;
  }
  return sum;
}

#define LOOP(type, start, test, step)                    \
  do {                                                   \
    type i = 77;                                         \
    cilk_for (i = (start); test; step) note((long)i, 3); \
    printf("%lld %ld\n", (long long)i, fold());          \
  } while (0)

static void headers(int n) {
  LOOP(int, 0, i < n, i++);
  LOOP(int, 0, i < n, i += 3);
  int k;
  cilk_for (((k) = 0); ((k) < n); ((k)++)) note(k, 2);
  printf("%d %ld\n", k, fold());
  LOOP(int, 0, i <= n, i += 4);
  LOOP(long, n, i > 0, --i);
  LOOP(long, n, i >= 0, i -= 2);
  LOOP(int, 0, i != n, ++i);
  LOOP(int, n, 0 != i, i--);
  LOOP(int, n, 3 < i, i = i - 5); /* matrix: never (too few iterations) */
  LOOP(short, 1, n >= i, i = 2 + i);
  LOOP(unsigned, 0xfffffff0u, i != (unsigned)n, i++);
  LOOP(unsigned char, 200, i < 230, i += 20);
  LOOP(unsigned char, 0, i != 40, i += 4);
  LOOP(uint64_t, 0, i < (uint64_t)n * 2, i += 7);
  LOOP(int, 5, i < 5 - n, i++); /* matrix: never (too few iterations) */
  LOOP(int, n, i < n, i++);     /* matrix: never (too few iterations) */
  LOOP(int8_t, -100, i < 100, i += 9);
  int step = n % 3 + 1;
  LOOP(int, 0, i < n, i += step);
  LOOP(int, 0, i > -n, i -= step);
  LOOP(long, 0, i != (long)step * 8, i += step);
}

static void pointers(int n) {
  long values[40], *p = NULL;
  cilk_for (p = values; p < values + n; p++) *p = p - values;
  printf("%td\n", p - values);
  cilk_for (p = values + n; p != values; --p) p[-1] += 5;
  printf("%td\n", p - values);
  const long *c;
  cilk_for (c = values; c < values + n; c += 3) note(c - values, *c);
  printf("%td %ld\n", c - values, fold());
}

/* The body writes to its copy, takes its address, hides it, and uses it in a child. */
static NOINLINE void child(long *place, int i) {
  linger();
  *place = i * 3 + 1;
}
static long bodies(int n) {
  long results[32] = {0};
  int i, other = 5, squares[32];
  cilk_for (i = 0; i < n; ++i) {
    int *address = &i;
    squares[i] = *address * *address;
    cilk_spawn child(&results[i], i);
    if (i % 3 == 0) continue;
    cilk_sync;
    results[i] += i;
    int j = i;
    {
      int i = j + 1;
      squares[j] += i;
    }
  }
  long sum = i;
  cilk_for (i = 0; i < n; ++i) squares[i] += other;
  sum += i * 10;
  for (int k = 0; k < n; ++k) sum = sum * 3 + results[k] + squares[k];
  return sum;
}

/* In a function's parameter, nested with a variable of the inner body, in a spawned block. */
static long nested(int n, int i) {
  long table[8][8] = {{0}}, sum = 0;
  cilk_for (i = 0; i < n; i++) {
    int j;
    cilk_for (j = 0; j < n; j++) table[i][j] = i * 10 + j;
    table[i][0] += j;
  }
  cilk_spawn {
    int k;
    cilk_for (k = 0; k < n; k++) table[k][7] += k;
    sum += k;
  }
  linger();
  cilk_sync;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) sum = (sum * 7 + table[a][b]) % 1000003;
  return sum + i;
}

int main(void) {
  for (int n = 0; n < 9; n += 2) {
    headers(n);
    pointers(n * 4);
    printf("%ld %ld\n", bodies(n), nested(n, 3));
  }
  return 0;
}
