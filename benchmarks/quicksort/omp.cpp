// quicksort with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

static Number *divide(Number *begin, Number *end) {
  if (end - begin < kSliced) return divide(begin, end, median_of_three(begin, end));
  Slices slices(begin, end);
#pragma omp taskloop shared(slices)
  for (int slice = 0; slice < Slices::kSlices; ++slice) slices.divide_slice(slice);
  return slices.divide_rest();
}

static void sort(Number *begin, Number *end) {
  if (end - begin <= kSerial) {
    std::sort(begin, end);
    return;
  }
  Number *const middle = divide(begin, end);
#pragma omp task
  sort(begin, middle);
  sort(middle, end);
#pragma omp taskwait
}

BENCHMARK(Sort, solve)
