/* Values of types that take more than a register, or less than a byte: complex, _BitInt, __int128,
 * long double, _Float16, _Bool, unions, bit-fields, flexible arrays, atomics and volatile; as
 * results, as arguments, and live across a spawn.
 *
 * matrix: flags -std=gnu2x -Wno-gnu-offsetof-extensions
 */

#include <cilk/cilk.h>

#include <alloca.h>
#include <complex.h>
#include <stdatomic.h>

#include "../support/check.h"

static NOINLINE long id(long n) {
  linger();
  return n;
}
static NOINLINE double _Complex cid(double _Complex z) {
  linger();
  return z * 2;
}
static NOINLINE _BitInt(37) bid(_BitInt(37) v) {
  linger();
  return v + 1;
}
static NOINLINE _BitInt(200) bbid(_BitInt(200) v) {
  linger();
  return v * 3;
}
static NOINLINE long double ld(long double v) {
  linger();
  return v / 3;
}
static NOINLINE _Bool flip(_Bool b) {
  linger();
  return !b;
}
static NOINLINE __int128 wide(__int128 v) {
  linger();
  return v << 70;
}
static NOINLINE _Float16 half(_Float16 v) {
  linger();
  return v + (_Float16)1.5;
}

static long values(long n) {
  double _Complex z = cilk_spawn cid(n + 2 * I);
  float _Complex fz;
  fz = cilk_spawn cid(1 + n * I);
  _BitInt(37) b = cilk_spawn bid(n);
  _BitInt(200) bb = cilk_spawn bbid((_BitInt(200))n << 150);
  unsigned _BitInt(9) small = cilk_spawn bid(510);
  long double l = cilk_spawn ld(n);
  long double l2 = ld(n + 1);
  _Bool f = cilk_spawn flip(n & 1);
  _Bool t = cilk_spawn id(n);
  __int128 w = cilk_spawn wide(n);
  _Float16 h = cilk_spawn half(n);
  cilk_sync;
  long double l3 = l + l2;
  return creal(z) + cimag(z) + crealf(fz) + cimagf(fz) + b + (long)(bb >> 150) + small +
         (long)(l * 1000) + f + t + (long)(w >> 70) + (long)h + (long)(l3 * 100);
}

static long live_long_double(long n) {
  long double a = n / 3.0L, b = a * a, c = b + 1;
  __int128 i = (__int128)n << 90;
  _BitInt(129) q = (_BitInt(129))n << 100;
  double _Complex z = n * I;
  long x = cilk_spawn id(n);
  a += c;
  i += 1;
  q += 3;
  z += 1;
  long y = cilk_spawn id(n + 1);
  c += a;
  i *= 3;
  q *= 5;
  z *= z;
  cilk_sync;
  return x + y + (long)(a * 100) + (long)(b * 100) + (long)(c * 100) + (long)(i >> 90) + (long)i +
         (long)(q >> 100) + (long)q + creal(z);
}

struct flex {
  int n;
  long v[];
};
union u {
  long l;
  double d;
  char c[8];
};
struct bits {
  int a : 3;
  unsigned b : 9;
  long c : 40;
};
static NOINLINE void fill(long *p, int n, long v) {
  linger();
  for (int i = 0; i < n; i++) p[i] = v + i;
}
static NOINLINE union u give_u(double d) {
  linger();
  union u r;
  r.d = d;
  return r;
}
static NOINLINE struct bits give_bits(int n) {
  linger();
  struct bits b = {n, n * 2, n * 3};
  return b;
}

static long memory(int n) {
  struct flex *f = malloc(sizeof *f + n * sizeof(long));
  f->n = n;
  cilk_spawn fill(f->v, n, 5);
  long vla[n];
  cilk_spawn fill(vla, n, 7);
  long *a = alloca(n * sizeof *a);
  cilk_spawn fill(a, n, 9);
  long vv[n][3];
  for (int i = 0; i < n; i++) cilk_spawn fill(vv[i], 3, i);
  union u u = cilk_spawn give_u(1.5);
  struct bits b = cilk_spawn give_bits(2);
  cilk_sync;
  long s = (long)(u.d * 2) + b.a + b.b + b.c + sizeof vla / sizeof *vla;
  for (int i = 0; i < n; i++) s = s * 3 + f->v[i] + vla[i] + a[i] + vv[i][0] + vv[i][1] * vv[i][2];
  free(f);
  return s;
}

static NOINLINE void inc(_Atomic long *p, int n) {
  for (int i = 0; i < n; i++) atomic_fetch_add(p, 1);
}
static long atomics(int n) {
  _Atomic long c = 0;
  _Atomic int target;
  volatile long v = 0;
  for (int i = 0; i < n; i++) cilk_spawn inc(&c, 10);
  target = cilk_spawn id(9);
  v = cilk_spawn id(4);
  c += 5;
  cilk_sync;
  volatile int vi = 3;
  vi++;
  long x = cilk_spawn id(vi);
  vi++;
  cilk_sync;
  return c + target + v + x + vi;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    printf("values: %ld, live: %ld\n", values(i), live_long_double(i + 7));
    printf("memory: %ld, atomics: %ld\n", memory(6 + i), atomics(10));
  }
  return 0;
}
