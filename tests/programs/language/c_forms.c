/* Features of C that C++ lacks: variable length arrays, alloca in loops, complex numbers, compound
 * literals, designated initializers, restrict, _Bool, __int128; labels before keywords. */

#include <cilk/cilk.h>

#include <alloca.h>
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "../support/check.h"

static NOINLINE long sum_of(const long *values, int count) {
  if (count % 4 == 0) linger();
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

static NOINLINE void fill(long *values, int count, long start) {
  for (int i = 0; i < count; ++i) values[i] = start + i;
}

/* Each block lives until the function ends, in whatever clone it was taken. */
static long alloca_in_a_loop(int n) {
  long sums[32] = {0}, *blocks[32];
  for (int i = 0; i < n; ++i) {
    int size = 1 + i * 5;
    long *block = alloca(sizeof *block * (size_t)size);
    fill(block, size, i);
    blocks[i] = block;
    sums[i] = cilk_spawn sum_of(block, size);
  }
  cilk_sync;
  long total = 0;
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(blocks[i][i * 5], i * 6);
    total = (total * 3 + sums[i]) % 1000003;
  }
  return total;
}

/* A variable length array of the function, used by children; a second one after a sync; and a
 * two-dimensional one. */
static long variable_length_arrays(int n) {
  long values[n], results[n];
  fill(values, n, 10);
  for (int i = 0; i < n; ++i) results[i] = cilk_spawn sum_of(values, i + 1);
  cilk_sync;
  long more[2 * n];
  fill(more, 2 * n, results[n - 1]);
  long a = cilk_spawn sum_of(more, n);
  long b = cilk_spawn sum_of(more + n, n);
  long square[n][n];
  for (int i = 0; i < n; ++i) {
    cilk_spawn fill(square[i], n, i * n);
  }
  cilk_sync;
  return a + b + sum_of(&square[0][0], n * n) + (long)sizeof(square[0]);
}

/* A variable length array in the body of a loop: its size changes, and the sync is in the body,
 * since the array ends with it. */
static long array_in_a_loop(int n) {
  long total = 0;
  for (int i = 1; i < n; ++i) {
    long values[i * 3];
    cilk_spawn fill(values, i, 1);
    cilk_spawn fill(values + i, i, 2);
    fill(values + 2 * i, i, 3);
    cilk_sync;
    total += sum_of(values, i * 3);
  }
  return total;
}

static NOINLINE double complex multiply(double complex a, double complex b) {
  linger();
  return a * b;
}
static NOINLINE float complex conjugate(float complex a) { return conjf(a); }
static NOINLINE long double complex longest(long double complex a) { return a + 1; }

static void complex_results(void) {
  double complex a = cilk_spawn multiply(1 + 2 * I, 3 - I);
  double complex array[2];
  array[0] = cilk_spawn multiply(I, I);
  array[1] = cilk_spawn multiply(2, 2 * I);
  float complex b = cilk_spawn conjugate(1.5f + 2.5f * I);
  long double complex c = cilk_spawn longest(I);
  cilk_sync;
  printf("complex: %g%+gi %g%+gi %g%+gi %g%+gi %Lg%+Lgi\n", creal(a), cimag(a), creal(array[0]),
         cimag(array[0]), creal(array[1]), cimag(array[1]), (double)crealf(b), (double)cimagf(b),
         creall(c), cimagl(c));
}

struct pair {
  long a, b;
};
struct large {
  long values[9];
};

static NOINLINE struct pair swap(struct pair p) { return (struct pair){.a = p.b, .b = p.a}; }
static NOINLINE struct large shift(struct large l, int by) {
  struct large result;
  for (int i = 0; i < 9; ++i) result.values[i] = l.values[(i + by) % 9];
  linger();
  return result;
}
static NOINLINE bool is_even(__int128 n) { return n % 2 == 0; }
static NOINLINE unsigned __int128 wide(unsigned long high, unsigned long low) {
  return (unsigned __int128)high << 64 | low;
}
static NOINLINE const char *name(int index) {
  return (const char *[]){"zero", "one", "two"}[index];
}

static void structs(void) {
  struct pair p = cilk_spawn swap((struct pair){1, 2}), q;
  struct large l = cilk_spawn shift((struct large){{1, 2, 3, 4, 5, 6, 7, 8, 9}}, 4);
  struct pair pairs[3];
  q = cilk_spawn swap((struct pair){.b = 5});
  for (int i = 0; i < 3; ++i) pairs[i] = cilk_spawn swap((struct pair){i, i * i});
  _Bool even = cilk_spawn is_even((__int128)1 << 90);
  unsigned __int128 w = cilk_spawn wide(3, 4);
  const char *text = cilk_spawn name(2);
  cilk_sync;
  printf("structs: %ld %ld %ld %ld %ld %ld %ld %d %ld %s\n", p.a, p.b, q.a, q.b, l.values[0],
         l.values[8], pairs[2].a * 10 + pairs[2].b, even, (long)(w >> 64) * 10 + (long)w, text);
}

static NOINLINE double average(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(arguments, double);
  va_end(arguments);
  return sum / count;
}

static NOINLINE void copy(long *restrict to, const long *restrict from, size_t count) {
  memcpy(to, from, count * sizeof *to);
}

static void calls(void) {
  long (*pointer)(const long *, int) = sum_of;
  long values[20], copied[20];
  fill(values, 20, 1);
  long a = cilk_spawn pointer(values, 20);
  long b = cilk_spawn(*pointer)((long[]){7, 8, 9}, 3);
  double c = cilk_spawn average(3, 1.0, 2.0, 6.0);
  double d = cilk_spawn average(9, 1.0, 2.0, 6.0, 1.0, 2.0, 6.0, 1.0, 2.0, 6.0);
  cilk_spawn copy(copied, values, 10);
  cilk_spawn copy(copied + 10, values, 10);
  cilk_sync;
  printf("calls: %ld %ld %g %g %ld\n", a, b, c, d, sum_of(copied, 20));
}

/* In C an attribute after a label is the label's, in C++ the statement's. */
static long labels(long rounds) {
  long sums[4] = {0};
again:
  cilk_scope { cilk_spawn fill(sums, 2, rounds); }
block:
  cilk_spawn { sums[2] += sums[0]; }
  cilk_sync;
loop:
  cilk_spawn for (int i = 0; i < 3; ++i) sums[3] += sums[1];
  cilk_sync;
  switch (rounds--) {
    case 3:
      goto again;
    case 2:
      goto block;
    case 1:
      goto loop;
  }
  return sums[2] * 1000 + sums[3];
}

int main(void) {
  for (int i = 0; i < 5; ++i) {
    printf("alloca: %ld\n", alloca_in_a_loop(32));
    printf("arrays: %ld %ld\n", variable_length_arrays(17), array_in_a_loop(24));
    complex_results();
    structs();
    calls();
    CHECK_EQ(labels(3), 7039);
  }
  return 0;
}
