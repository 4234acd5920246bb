// fft with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void combine(Complex *out, long n, const Complex *roots, long step, long low, long high) {
  if (high - low <= kSerial) {
    butterflies(out, n, roots, step, low, high);
    return;
  }
  const long middle = low + (high - low) / 2;
  tbb::task_group group;
  group.run([=] { combine(out, n, roots, step, low, middle); });
  combine(out, n, roots, step, middle, high);
  group.wait();
}

static void transform(const Complex *in, Complex *out, long n, const Complex *roots, long step) {
  if (n <= kSerial) {
    transform_serially(in, out, n, roots, step);
    return;
  }
  tbb::task_group group;
  group.run([=] { transform(in, out, n / 2, roots, 2 * step); });
  transform(in + step, out + n / 2, n / 2, roots, 2 * step);
  group.wait();
  combine(out, n, roots, step, 0, n / 2);
}

BENCHMARK(Transform, solve)
