/* Many arguments live across a spawn: each register may hold one where the clone calls the runtime,
 * also those that only a few things save (r10 and r11 are scratch for a dynamic linker that binds
 * the first call of a function). In C, where a spawn is no invoke. */

#include <cilk/cilk.h>

#include "../support/check.h"

struct block {
  long *data;
  int stride;
};

static struct block part(struct block b, int row, int column) {
  struct block result = {b.data + (long)row * b.stride + column, b.stride};
  return result;
}

static NOINLINE void multiply_leaf(struct block c, struct block a, struct block b, int rows,
                                   int inner, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) {
      for (int j = 0; j < columns; ++j)
        part(c, i, j).data[0] += part(a, i, k).data[0] * part(b, k, j).data[0];
    }
  }
}

/* Nine arguments, of which six are in registers and all are used after the spawn. */
static void multiply(struct block c, struct block a, struct block b, int rows, int inner,
                     int columns) {
  if (rows <= 4 && inner <= 4 && columns <= 4) {
    multiply_leaf(c, a, b, rows, inner, columns);
  } else if (rows >= inner && rows >= columns) {
    const int half = rows / 2;
    cilk_spawn multiply(c, a, b, half, inner, columns);
    multiply(part(c, half, 0), part(a, half, 0), b, rows - half, inner, columns);
  } else if (columns >= inner) {
    const int half = columns / 2;
    cilk_spawn multiply(c, a, b, rows, inner, half);
    multiply(part(c, 0, half), a, part(b, 0, half), rows, inner, columns - half);
  } else {
    const int half = inner / 2;
    cilk_spawn multiply(c, a, b, rows, half, columns);
    cilk_sync;
    multiply(c, part(a, 0, half), part(b, half, 0), rows, inner - half, columns);
  }
}

static NOINLINE long mixed(long a, long b, long c, long d, long e, long f, double p, double q,
                           double r, double s) {
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + (long)(p + 2 * q + 3 * r + 5 * s);
}

/* Six integers and four floating-point numbers. */
static NOINLINE long spread(long a, long b, long c, long d, long e, long f, double p, double q,
                            double r, double s) {
  if (a <= 0) return mixed(a, b, c, d, e, f, p, q, r, s);
  long first = cilk_spawn spread(a - 1, c, b, e, d, f, q, p, s, r);
  long second = spread(a - 2, f, e, d, c, b, s, r, q, p);
  long third = mixed(f, e, d, c, b, a, s, r, q, p);
  cilk_sync;
  return (first * 3 + second * 5 + third) % 1000003;
}

int main(void) {
  enum { kSize = 24 };
  static long a[kSize * kSize], b[kSize * kSize], c[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = i % 17 - 8;
    b[i] = i % 13 - 6;
  }
  struct block x = {a, kSize}, y = {b, kSize}, z = {c, kSize};
  multiply(z, x, y, kSize, kSize, kSize);
  unsigned long checksum = 0;
  for (int i = 0; i < kSize * kSize; ++i) checksum = mix(checksum, (unsigned long)c[i]);
  printf("product: %016lx, spread: %ld\n", checksum, spread(12, 2, 3, 4, 5, 6, 0.5, 1.5, 2.5, 3.5));
  return 0;
}
