/* cilk_for in C: integers, pointers, enums, several declarations, strides, grains, nesting, spawns,
 * variable length arrays. */

#define _POSIX_C_SOURCE 200809L

#include <cilk/cilk.h>

#include <stdatomic.h>
#include <string.h>

#include "../support/check.h"

#if defined(CILK_SERIAL)
#pragma clang diagnostic ignored "-Wunknown-pragmas" /* the grains */
#endif

enum color { kRed, kGreen, kBlue, kLast };

static NOINLINE long twice(long n) {
  if (n % 16 == 0) linger();
  return 2 * n;
}

static void arrays(int n) {
  long a[n], b[n];
  cilk_for (int i = 0; i < n; i++) a[i] = i;
  cilk_for (long *p = b, *q = a; p != b + n; ++p) *p = q[p - b] + 1;
  cilk_for (long *p = b + n - 1; p >= b; p -= 2) *p += 1000;
  for (int i = 0; i < n; ++i) CHECK_EQ(b[i], i + 1 + ((n - 1 - i) % 2 ? 0 : 1000));
}

static void strides(int n, long stride) {
  _Atomic long sum = 0, expected = 0;
  cilk_for (long i = 0; i < n; i = i + stride) sum += i;
  for (long i = 0; i < n; i += stride) expected += i;
  CHECK_EQ(sum, expected);
  cilk_for (unsigned short i = (unsigned short)n; i >= stride; i -= stride) sum -= i;
  for (int i = n; i >= stride; i -= stride) expected -= i;
  CHECK_EQ(sum, expected);
  _Atomic int colors[kLast] = {0};
  cilk_for (enum color c = kRed; c < kLast; ++c) colors[c]++;
  for (int i = 0; i < kLast; ++i) CHECK_EQ(colors[i], 1);
}

static void spawns(int n) {
  long results[n][2];
  memset(results, 0, sizeof results);
#pragma cilk grainsize = n> 9 ? 2 : 1
  cilk_for (int i = 0; i < n; ++i) {
    long scratch[i + 1];
    scratch[i] = cilk_spawn twice(i);
    results[i][1] = i;
    cilk_sync;
    results[i][0] = cilk_spawn twice(scratch[i]);
  }
  for (int i = 0; i < n; ++i) CHECK_EQ(results[i][0], 4 * i);
  for (int i = 0; i < n; ++i) CHECK_EQ(results[i][1], i);
  if (n)
#pragma cilk grainsize(1)
    cilk_for (int i = 0; i < n; ++i)
      cilk_for (int j = 0; j < 2; ++j) results[i][j] = i + j;
  else
    CHECK(0);
  for (int i = 0; i < n; ++i) CHECK_EQ(results[i][1], i + 1);
label:
  cilk_for (int i = 0; i < n; ++i) {
    if (results[i][0] == -1) continue;
    results[i][0] = -1;
  }
  for (int i = 0; i < n; ++i)
    if (results[i][0] != -1) goto label;
}

int main(int argc, char **argv) {
  int n = (int)size_argument(argc, argv, 40);
  arrays(n);
  for (long stride = 1; stride < 6; ++stride) strides(n, stride);
  spawns(n);
  printf("%d iterations\n", n);
  return 0;
}
