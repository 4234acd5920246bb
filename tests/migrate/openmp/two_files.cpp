// Exercises: a header and its source that need the same helpers; an include amid the code.
#include "two_files.h"

#include <cstdio>

static void add(int *sum, const int *values, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    *sum += values[i];
    count(sum, 1);
  }
}

static const int kValues[] = {
#include "two_files.inc"
};

int main() {
  const double start = omp_get_wtime();
  int sum = 0;
  add(&sum, kValues, sizeof kValues / sizeof *kValues);
  std::printf("%d %d\n", sum, start <= now());
}
