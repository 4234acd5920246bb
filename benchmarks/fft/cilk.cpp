// fft with Cilk's keywords; with -DCILK_SERIAL its serial elision.
//
// matrix: args 12
#include "../support/cilk.h"
#include "kernel.h"

static void combine(Complex *out, long n, const Complex *roots, long step, long low, long high) {
  if (high - low <= kSerial) {
    butterflies(out, n, roots, step, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
  cilk_spawn combine(out, n, roots, step, low, middle);
  combine(out, n, roots, step, middle, high);
  cilk_sync;
}

static void transform(const Complex *in, Complex *out, long n, const Complex *roots, long step) {
  if (n <= kSerial) {
    transform_serially(in, out, n, roots, step);
    return;
  }
  cilk_spawn transform(in, out, n / 2, roots, 2 * step);
  transform(in + step, out + n / 2, n / 2, roots, 2 * step);
  cilk_sync;
  combine(out, n, roots, step, 0, n / 2);
}

BENCHMARK(Transform, solve)
