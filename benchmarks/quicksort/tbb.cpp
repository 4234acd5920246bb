// quicksort with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static Number *divide(Number *begin, Number *end) {
  if (end - begin < kSliced) return divide(begin, end, median_of_three(begin, end));
  Slices slices(begin, end);
  tbb::parallel_for(0, Slices::kSlices, [&](int slice) { slices.divide_slice(slice); });
  return slices.divide_rest();
}

static void sort(Number *begin, Number *end) {
  if (end - begin <= kSerial) {
    std::sort(begin, end);
    return;
  }
  Number *const middle = divide(begin, end);
  tbb::task_group group;
  group.run([=] { sort(begin, middle); });
  sort(middle, end);
  group.wait();
}

BENCHMARK(Sort, solve)
