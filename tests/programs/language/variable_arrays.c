/* Variable length arrays live until the sync that ends their scope, also where that sync is not
 * written: their memory is released after it. The address sanitizer sees it best.
 */
#include <cilk/cilk.h>

#include "../support/check.h"

/* Released memory is likely to be given to the next one who asks. */
static void overwrite(void) {
  enum { kTimes = 40 };
  char *blocks[kTimes];
  for (int i = 0; i < kTimes; ++i) {
    blocks[i] = malloc((size_t)(16 + 16 * i));
    for (int k = 0; k < 16 + 16 * i; ++k) blocks[i][k] = (char)0xee;
  }
  for (int i = 0; i < kTimes; ++i) free(blocks[i]);
}

static NOINLINE long reverse(long *values, int n) {
  linger();
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], i);
  for (int i = 0; i < n; ++i) values[i] = n - i;
  return n;
}
static NOINLINE void fill(long *values, int n) {
  for (int i = 0; i < n; ++i) values[i] = i;
}

static NOINLINE void in_a_function(int n) {
  long values[n];
  fill(values, n);
  cilk_spawn reverse(values, n);
}

static NOINLINE long two(int n) {
  long first[n];
  fill(first, n);
  cilk_spawn reverse(first, n);
  long second[n + 1];
  fill(second, n + 1);
  cilk_spawn reverse(second, n + 1);
  return n;
}

static NOINLINE void result_into_an_array(int n) {
  long values[n];
  fill(values, n);
  values[0] = cilk_spawn reverse(values, n);
}

static NOINLINE long in_a_scope(int n) {
  long sum = 0;
  cilk_spawn linger();
  cilk_scope {
    long values[n];
    fill(values, n);
    cilk_spawn reverse(values, n);
  }
  overwrite();
  cilk_scope {
    long values[n];
    fill(values, n);
    sum = cilk_spawn reverse(values, n);
    cilk_scope {
      long inner[n + 2];
      fill(inner, n + 2);
      cilk_spawn reverse(inner, n + 2);
    }
    if (n == 3) return 7;
  }
  return sum;
}

static NOINLINE void in_a_loop(int n) {
  cilk_for (int i = 0; i < 12; ++i) {
    long values[n + i];
    fill(values, n + i);
    cilk_spawn reverse(values, n + i);
  }
}

static NOINLINE void in_a_spawned_block(int n) {
  cilk_spawn {
    long values[n];
    fill(values, n);
    cilk_spawn reverse(values, n);
  }
  overwrite();
}

static NOINLINE void rows(int n) {
  long matrix[n][n + 1];
  for (int i = 0; i < n; ++i) fill(matrix[i], n + 1);
  for (int i = 0; i < n; ++i) cilk_spawn reverse(matrix[i], n + 1);
}

int main(void) {
  long sum = 0;
  for (int n = 2; n < 12; ++n) {
    cilk_spawn in_a_function(n);
    cilk_spawn in_a_loop(n);
    overwrite();
    sum += two(n);
    cilk_spawn result_into_an_array(n);
    sum += in_a_scope(n);
    cilk_spawn in_a_spawned_block(n);
    rows(n);
    overwrite();
    cilk_sync;
  }
  printf("%ld\n", sum);
}
