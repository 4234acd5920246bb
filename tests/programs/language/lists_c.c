/* Initializer lists with spawned parts, in C: arrays, structs, unions beside them, nested lists,
 * designators, complex numbers. */

#include <cilk/cilk.h>

#include <complex.h>

#include "../support/check.h"

static NOINLINE long work(long n) {
  linger();
  return n * 3 + 1;
}
struct pair {
  long a;
  unsigned b : 5, c : 7;
  char name[6];
};
static NOINLINE struct pair make(long n) {
  linger();
  return (struct pair){n, 3, 4, "made"};
}
struct deep {
  struct pair first, more[2];
  _Bool flag;
};

static long arrays(long n) {
  long a[3] = {cilk_spawn work(n), n, cilk_spawn work(n + 1)};
  n += 100;
  int b[] = {[2] = cilk_spawn work(5), [0] = 7, 8, [4] = cilk_spawn work(6)};
  const double complex c[2] = {cilk_spawn work(1), 2 + I};
  unsigned char d[2][3] = {{1, cilk_spawn work(2)}, {cilk_spawn work(3), [2] = 9}};
  cilk_sync;
  return a[0] + a[1] * 3 + a[2] * 5 + b[0] + b[1] + b[2] * 7 + b[3] + b[4] * 11 +
         (long)creal(c[0]) + (long)cimag(c[1]) + d[0][1] * 13 + d[0][2] + d[1][0] * 17 + d[1][1] +
         d[1][2];
}

static long structs(long n) {
  struct pair p = {cilk_spawn work(n), n, 3, {0}};
  struct pair q = {.c = 9, .a = cilk_spawn work(n)};
  struct deep deep = {
      cilk_spawn make(n), {{.b = 6, .a = cilk_spawn work(n)}, make(2)}, cilk_spawn work(n)};
  n = 0;
  cilk_sync;
  return p.a + p.b * 3 + p.c * 5 + p.name[0] + q.a * 7 + q.b + q.c * 11 + deep.first.a +
         deep.first.name[1] + deep.more[0].a * 13 + deep.more[0].b + deep.more[0].c +
         deep.more[1].name[2] + deep.flag;
}

int main(void) {
  for (long n = 0; n < 5; ++n) printf("%ld %ld\n", arrays(n), structs(n));
  return 0;
}
