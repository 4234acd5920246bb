// cilksort with Cilk's keywords; with -DCILK_SERIAL its serial elision.
//
// matrix: args 100000
// matrix: chaos-args 30000
#include "../support/cilk.h"
#include "kernel.h"

static void merge(const Number *a, long na, const Number *b, long nb, Number *to) {
  if (na + nb <= kSerial) {
    std::merge(a, a + na, b, b + nb, to);
    return;
  }
  const Halves cut(a, na, b, nb);
  cilk_spawn merge(cut.a, cut.ha, cut.b, cut.hb, to);
  merge(cut.a + cut.ha, cut.na - cut.ha, cut.b + cut.hb, cut.nb - cut.hb, to + cut.ha + cut.hb);
  cilk_sync;
}

static void sort(Number *data, Number *other, long n) {
  if (n <= kSerial) {
    std::sort(data, data + n);
    return;
  }
  const long quarter = n / 4, half = 2 * quarter, last = n - 3 * quarter;
  cilk_spawn sort(data, other, quarter);
  cilk_spawn sort(data + quarter, other + quarter, quarter);
  cilk_spawn sort(data + half, other + half, quarter);
  sort(data + half + quarter, other + half + quarter, last);
  cilk_sync;
  cilk_spawn merge(data, quarter, data + quarter, quarter, other);
  merge(data + half, quarter, data + half + quarter, last, other + half);
  cilk_sync;
  merge(other, half, other + half, n - half, data);
}

BENCHMARK(Sort, solve)
