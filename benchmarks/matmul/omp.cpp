// matmul with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void multiply(const double *a, const double *b, double *c, long m, long k, long n,
                     long stride) {
  if (m <= kLeaf && k <= kLeaf && n <= kLeaf) {
    multiply_leaf(a, b, c, m, k, n, stride);
    return;
  }
  if (k > m && k > n) {  // both halves add to the same c
    multiply(a, b, c, m, k / 2, n, stride);
    multiply(a + k / 2, b + k / 2 * stride, c, m, k - k / 2, n, stride);
    return;
  }
  if (m >= n) {
#pragma omp task
    multiply(a, b, c, m / 2, k, n, stride);
    multiply(a + m / 2 * stride, b, c + m / 2 * stride, m - m / 2, k, n, stride);
  } else {
#pragma omp task
    multiply(a, b, c, m, k, n / 2, stride);
    multiply(a, b + n / 2, c + n / 2, m, k, n - n / 2, stride);
  }
#pragma omp taskwait
}

BENCHMARK(bench::SquareProduct, solve)
