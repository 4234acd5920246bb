// fft: discrete Fourier transform of 2^size complex numbers, radix 2, decimation in time, out of
// place; serial below 1,024 numbers.
#ifndef BENCHMARKS_FFT_KERNEL_H
#define BENCHMARKS_FFT_KERNEL_H

#include <cmath>
#include <vector>

#include "../support/program.h"

constexpr long kSerial = 1024;

struct Complex {
  double re, im;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Butterflies [low, high) of a transform of n numbers whose halves are done; `roots` are those of
/// unity, `step` apart.
inline void butterflies(Complex *out, long n, const Complex *roots, long step, long low,
                        long high) {
  for (long k = low; k < high; ++k) {
    const Complex even = out[k], odd = out[k + n / 2] * roots[k * step];
    out[k] = even + odd;
    out[k + n / 2] = even - odd;
  }
}

/// `step`: the distance of the numbers in `in`, and of the roots.
inline void transform_serially(const Complex *in, Complex *out, long n, const Complex *roots,
                               long step) {
  if (n == 1) {
    *out = *in;
    return;
  }
  transform_serially(in, out, n / 2, roots, 2 * step);
  transform_serially(in + step, out + n / 2, n / 2, roots, 2 * step);
  butterflies(out, n, roots, step, 0, n / 2);
}

struct Transform {
  explicit Transform(long size)
      : n(1L << size), in(static_cast<std::size_t>(n)), out(in.size()), roots(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double angle = -2 * M_PI * static_cast<double>(i) / static_cast<double>(n);
      roots[i] = {std::cos(angle), std::sin(angle)};
      in[i] = {bench::uniform(2 * i), bench::uniform(2 * i + 1)};
    }
  }

  /// Checks three outputs by the definition, and Parseval's equation.
  std::string result() const {
    double before = 0, after = 0, error = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      before += in[i].re * in[i].re + in[i].im * in[i].im;
      after += out[i].re * out[i].re + out[i].im * out[i].im;
    }
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, in.size() / 3}) {
      Complex sum = {0, 0};
      for (std::size_t i = 0; i < in.size(); ++i) sum = sum + in[i] * roots[i * k % in.size()];
      error =
          std::fmax(error, std::fmax(std::fabs(sum.re - out[k].re), std::fabs(sum.im - out[k].im)));
    }
    const double numbers = static_cast<double>(n);
    if (error > 1e-9 * numbers || std::fabs(after / numbers - before) > 1e-9 * before) return {};
    return bench::text("fft %ld: %.9g %.9g", n, out[in.size() / 3].re, after);
  }

  long n;
  std::vector<Complex> in, out, roots;
};

// What each variant defines.
static void transform(const Complex *in, Complex *out, long n, const Complex *roots, long step);

static void solve(Transform &input) {
  transform(input.in.data(), input.out.data(), input.n, input.roots.data(), 1);
}

#endif
