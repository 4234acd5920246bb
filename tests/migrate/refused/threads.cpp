// What depends on OpenMP's threads, or on an order that a clause promises.
#include <omp.h>

#include <cstdio>
#include <vector>

static long seed = 1;
#pragma omp threadprivate(seed)
static long roll(long i) {
  seed = i;
  for (int k = 0; k < 100; ++k) seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return seed;
}
long elsewhere(long i);

void own(std::vector<long> &r) {
  const int n = static_cast<int>(r.size());
  // stays: each thread has its own 'seed'
#pragma omp parallel for
  for (int i = 0; i < n; ++i) r[i] = roll(i);
#pragma omp parallel sections
  {
#pragma omp section
    // stays: each thread has its own 'seed'
    seed = 1;
#pragma omp section
    r[0] = 1;
  }
  // stays: it calls functions of other files, where OpenMP's threads have variables of their own
#pragma omp parallel for
  for (int i = 0; i < n; ++i) r[i] = elsewhere(i);
}

void team(int *sums) {
  // stays: OpenMP's threads remain
  omp_set_num_threads(4);
  // stays: OpenMP's threads remain
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    // stays: each thread of the region runs this
    sums[omp_get_thread_num()] = 1;
  }
}

static void deeper(int *a) {
  // stays: OpenMP's threads remain
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) a[i] += omp_get_num_threads();
}
static void deep(int *a) { deeper(a); }

void locked(int *a) {
#pragma omp parallel for
  for (int i = 0; i < 3; ++i) {
    // stays: parallel code in a critical construct
#pragma omp critical
    deep(a);
  }
}

void in_order(int n, int *a) {
  int last = 0;
  // stays: one thread runs this, in order
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < n; ++i) std::printf("%d\n", i);
  // stays: one thread runs this, in order
#pragma omp parallel for if (0)
  for (int i = 0; i < n; ++i) last = a[i] += last;
  // stays: the inner loops would compute this condition, too
#pragma omp parallel for collapse(2) if (n++ > 3)
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) a[i * 4 + j] = n;
}

double vectors(int n, double *a) {
  int t = 5;
  double s = 0;
  // stays: the loop has private variables
#pragma omp simd private(t)
  for (int i = 0; i < n; ++i) {
    t = i;
    a[i] = t;
  }
  // stays: the reduction of 's' may change its order: say so to the compiler
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; ++i) s += a[i];
  return s + t;
}
