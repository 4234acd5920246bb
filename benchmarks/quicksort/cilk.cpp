// quicksort with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

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

static void solve(Sort &input) { sort(input.data.data(), input.data.data() + input.data.size()); }

BENCHMARK(Sort, solve)
