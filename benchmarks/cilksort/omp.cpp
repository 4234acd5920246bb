// cilksort with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static void merge(const Number *a, long na, const Number *b, long nb, Number *to) {
  if (na + nb <= kSerial) {
    std::merge(a, a + na, b, b + nb, to);
    return;
  }
  const Halves cut(a, na, b, nb);
#pragma omp task
  merge(cut.a, cut.ha, cut.b, cut.hb, to);
  merge(cut.a + cut.ha, cut.na - cut.ha, cut.b + cut.hb, cut.nb - cut.hb, to + cut.ha + cut.hb);
#pragma omp taskwait
}

static void sort(Number *data, Number *other, long n) {
  if (n <= kSerial) {
    std::sort(data, data + n);
    return;
  }
  const long quarter = n / 4, half = 2 * quarter, last = n - 3 * quarter;
#pragma omp task
  sort(data, other, quarter);
#pragma omp task
  sort(data + quarter, other + quarter, quarter);
#pragma omp task
  sort(data + half, other + half, quarter);
  sort(data + half + quarter, other + half + quarter, last);
#pragma omp taskwait
#pragma omp task
  merge(data, quarter, data + quarter, quarter, other);
  merge(data + half, quarter, data + half + quarter, last, other + half);
#pragma omp taskwait
  merge(other, half, other + half, n - half, data);
}

BENCHMARK(Sort, solve)
