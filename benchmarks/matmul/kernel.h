// matmul: c = a * b of size x size, the longest side halved until all are at most 32; row-major, in
// place.
#ifndef BENCHMARKS_MATMUL_KERNEL_H
#define BENCHMARKS_MATMUL_KERNEL_H

#include "../support/matrix.h"

constexpr long kLeaf = 32;

/// c += a * b, of m by k and k by n, rows `stride` apart.
inline void multiply_leaf(const double *a, const double *b, double *c, long m, long k, long n,
                          long stride) {
  for (long i = 0; i < m; ++i)
    for (long p = 0; p < k; ++p) {
      const double factor = a[i * stride + p];
      for (long j = 0; j < n; ++j) c[i * stride + j] += factor * b[p * stride + j];
    }
}

// What each variant defines.
static void multiply(const double *a, const double *b, double *c, long m, long k, long n,
                     long stride);

static void solve(bench::SquareProduct &input) {
  multiply(input.a.data(), input.b.data(), input.c.data(), input.n, input.n, input.n, input.n);
}

#endif
