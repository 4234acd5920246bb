// integrate: adaptive quadrature of x³ + x from 0 to n by trapezoids, down to an error of 1e-9 an
// interval, without a cut-off.
#ifndef BENCHMARKS_INTEGRATE_KERNEL_H
#define BENCHMARKS_INTEGRATE_KERNEL_H

#include <cmath>

#include "../support/program.h"

constexpr double kEpsilon = 1e-9;

inline double function(double x) { return (x * x + 1) * x; }

struct Integral {
  explicit Integral(long size) : n(static_cast<double>(size)) {}
  std::string result() const {
    const double exact = n * n * (n * n + 2) / 4;
    return std::fabs(value - exact) < 1e-6 * exact
               ? bench::text("integral to %.0f: %.17g", n, value)
               : "";
  }

  double n, value = 0;
};

#endif
