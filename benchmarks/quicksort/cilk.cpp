// quicksort with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

static Number *divide(Number *begin, Number *end) {
  if (end - begin < kSliced) return divide(begin, end, median_of_three(begin, end));
  Slices slices(begin, end);
  cilk_for (int slice = 0; slice < Slices::kSlices; ++slice) slices.divide_slice(slice);
  return slices.divide_rest();
}

static void sort(Number *begin, Number *end) {
  if (end - begin <= kSerial) {
    std::sort(begin, end);
    return;
  }
  Number *const middle = divide(begin, end);
  cilk_spawn sort(begin, middle);
  sort(middle, end);
  cilk_sync;
}

BENCHMARK(Sort, solve)
