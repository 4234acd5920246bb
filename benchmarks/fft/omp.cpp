// fft with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void combine(Complex *out, long n, const Complex *roots, long step, long low, long high) {
  if (high - low <= kSerial) {
    butterflies(out, n, roots, step, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
#pragma omp task
  combine(out, n, roots, step, low, middle);
  combine(out, n, roots, step, middle, high);
#pragma omp taskwait
}

static void transform(const Complex *in, Complex *out, long n, const Complex *roots, long step) {
  if (n <= kSerial) {
    transform_serially(in, out, n, roots, step);
    return;
  }
#pragma omp task
  transform(in, out, n / 2, roots, 2 * step);
  transform(in + step, out + n / 2, n / 2, roots, 2 * step);
#pragma omp taskwait
  combine(out, n, roots, step, 0, n / 2);
}

BENCHMARK(Transform, solve)
