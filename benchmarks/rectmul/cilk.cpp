// rectmul with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

// Of m by k and k by n blocks; rows of blocks are k_stride and n_stride apart.
static void multiply(const Block *a, const Block *b, Block *c, long m, long k, long n,
                     long k_stride, long n_stride, bool add) {
  if (m == 1 && k == 1 && n == 1) {
    multiply_block(*a, *b, *c, add);
    return;
  }
  if (k > m && k > n) {
    multiply(a, b, c, m, k / 2, n, k_stride, n_stride, add);
    multiply(a + k / 2, b + k / 2 * n_stride, c, m, k - k / 2, n, k_stride, n_stride, true);
    return;
  }
  if (m >= n) {
    cilk_spawn multiply(a, b, c, m / 2, k, n, k_stride, n_stride, add);
    multiply(a + m / 2 * k_stride, b, c + m / 2 * n_stride, m - m / 2, k, n, k_stride, n_stride,
             add);
  } else {
    cilk_spawn multiply(a, b, c, m, k, n / 2, k_stride, n_stride, add);
    multiply(a, b + n / 2, c + n / 2, m, k, n - n / 2, k_stride, n_stride, add);
  }
  cilk_sync;
}

BENCHMARK(Product, solve)
