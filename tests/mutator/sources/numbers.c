/* Complex, long double, __int128, _BitInt, half of them passed and returned by value. */
#include <complex.h>
#include "common.h"

typedef unsigned __int128 wide;
typedef _BitInt(77) odd_bits;

static wide power(wide base, unsigned exponent) {
  wide result = 1;
  while (exponent) {
    if (exponent & 1) result *= base;
    base *= base;
    exponent >>= 1;
  }
  return result;
}
static void add_wide(wide w) {
  add((uint64_t)w);
  add((uint64_t)(w >> 64));
}
static double complex rotate(double complex z, int quarter) {
  for (int i = 0; i < quarter; ++i) z *= I;
  return z;
}
static float complex small(float complex z) { return conjf(z) + 0.5f; }
static long double chain(long double x, int depth) {
  if (depth == 0) return x;
  long double below = chain(x / 2, depth - 1);
  return below + 1.0L / (depth + 1);
}
static odd_bits bits(odd_bits n, int shift) {
  odd_bits m = n << shift;
  m ^= n;
  return m - 5;
}
static int mandelbrot(double complex c) {
  double complex z = 0;
  int n = 0;
  while (n < 12) {
    z = z * z + c;
    if (creal(z) * creal(z) + cimag(z) * cimag(z) > 4) break;
    ++n;
  }
  return n;
}
static wide divide(wide a, wide b, wide *rest) {
  *rest = a % b;
  return a / b;
}

int main(void) {
  for (unsigned i = 0; i < 6; ++i) add_wide(power(i * 1000003u + 7, i * 3));
  double complex z = rotate(3.0 + 4.0 * I, 3);
  add_double(creal(z));
  add_double(cimag(z));
  float complex s = small(1.25f - 2.0f * I);
  add_double(crealf(s));
  add_double(cimagf(s));
  long double x = chain(8.0L, 6);
  add_double((double)x);
  odd_bits b = bits(12345, 40);
  b = bits(b, 3);
  add((uint64_t)b);
  for (int y = -2; y < 3; ++y)
    for (int i = -3; i < 2; ++i) add((uint64_t)mandelbrot(i * 0.5 + y * 0.5 * I));
  wide rest;
  wide quotient = divide(power(10, 30), 998244353, &rest);
  add_wide(quotient);
  add_wide(rest);
  expect(quotient * 998244353 + rest == power(10, 30), "division");
  show("numbers");
  return 0;
}
