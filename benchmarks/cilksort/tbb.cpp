// cilksort with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void merge(const Number *a, long na, const Number *b, long nb, Number *to) {
  if (na + nb <= kSerial) {
    std::merge(a, a + na, b, b + nb, to);
    return;
  }
  const Halves cut(a, na, b, nb);
  tbb::task_group group;
  group.run([=] { merge(cut.a, cut.ha, cut.b, cut.hb, to); });
  merge(cut.a + cut.ha, cut.na - cut.ha, cut.b + cut.hb, cut.nb - cut.hb, to + cut.ha + cut.hb);
  group.wait();
}

static void sort(Number *data, Number *other, long n) {
  if (n <= kSerial) {
    std::sort(data, data + n);
    return;
  }
  const long quarter = n / 4, half = 2 * quarter, last = n - 3 * quarter;
  tbb::task_group group;
  group.run([=] { sort(data, other, quarter); });
  group.run([=] { sort(data + quarter, other + quarter, quarter); });
  group.run([=] { sort(data + half, other + half, quarter); });
  sort(data + half + quarter, other + half + quarter, last);
  group.wait();
  group.run([=] { merge(data, quarter, data + quarter, quarter, other); });
  merge(data + half, quarter, data + half + quarter, last, other + half);
  group.wait();
  merge(other, half, other + half, n - half, data);
}

BENCHMARK(Sort, solve)
