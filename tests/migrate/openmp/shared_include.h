// Brings OpenMP's header to the file that includes it.
#pragma once
#include <omp.h>

inline void fill(int *v, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = i;
}
